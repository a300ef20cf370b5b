/** Version of guard, as in deno.json; a test keeps the two in step. */
export const version = "0.1.0";
