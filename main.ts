/** Entry point: the hot path is loaded for `hook` and `serve`, the command line for everything else. */
if (Deno.args[0] === "hook") {
  const { hook } = await import("./src/hook.ts");
  await hook(Deno.args.slice(1));
} else if (Deno.args[0] === "serve") {
  const { serve } = await import("./src/serve.ts");
  await serve(Deno.args.slice(1));
} else {
  const { cli } = await import("./src/cli/main.ts");
  await cli(Deno.args);
}
