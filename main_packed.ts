/** Entry point of the executable: as main.ts, but from packs (tools/compile.ts, which gives them these names). */
import { packsFrom, readPack } from "./src/packs.ts";

const { load } = packsFrom((pack) => readPack(`${import.meta.dirname}/packs`, pack));
if (Deno.args[0] === "hook") {
  const { hook } = await load("hook.js", "hook.js") as typeof import("./src/hook.ts");
  await hook(Deno.args.slice(1));
} else if (Deno.args[0] === "serve") {
  const { serve } = await load("serve.js", "serve.js.z") as typeof import("./src/serve.ts");
  await serve(Deno.args.slice(1));
} else {
  const { cli } = await load("cli/main.js", "cli-main.js.z") as typeof import("./src/cli/main.ts");
  await cli(Deno.args);
}
