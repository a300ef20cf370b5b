/** What a command that takes long says on a terminal, and how it is interrupted. */

/** Says on stderr how far a scan is, in one line that is overwritten. */
export interface Progress {
  /** Shows it, unless that was done a moment ago. */
  show(files: number, bytes: number, found: number): void;
  /** Takes the line away. */
  clear(): void;
}

/** Milliseconds between two changes of the line. */
const pause = 100;

/** Nothing is shown where stderr is no terminal, or one that cannot overwrite a line. */
export function progressLine(
  wanted: boolean,
  stream: { isTerminal(): boolean; writeSync(bytes: Uint8Array): number } = Deno.stderr,
): Progress {
  if (!wanted || !stream.isTerminal() || Deno.env.get("TERM") === "dumb") {
    return { show: () => {}, clear: () => {} };
  }
  let last = performance.now();
  let shown = false;
  const write = (text: string) => stream.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
  return {
    show(files, bytes, found) {
      if (performance.now() - last < pause) return;
      last = performance.now();
      shown = true;
      write(`${counted(files, "text")}, ${Math.round(bytes / 1e6)} MB, ${counted(found, "secret")}`);
    },
    clear() {
      if (shown) write("");
      shown = false;
    },
  };
}

/** A number with what it counts. */
export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** Turns of the event loop, which work that never waits has to take so that signals are noticed. */
export interface Turns {
  isDue(): boolean;
  take(): Promise<void>;
}

export function turns(): Turns {
  let last = performance.now();
  return {
    isDue: () => performance.now() - last > 50,
    async take() {
      await new Promise((resolve) => setTimeout(resolve, 0));
      last = performance.now();
    },
  };
}

/** Waits for the user or the system to interrupt the process. */
export interface Interruption {
  /** The exit code for the signal that came; undefined as long as none did. */
  signal(): number | undefined;
  /** Signals end the process again. */
  stop(): void;
}

/** The first signal is noticed and the second one ends the process at once. */
export function watchInterruption(): Interruption {
  const codes = Deno.build.os === "windows"
    ? { SIGINT: 130 } as const
    : { SIGINT: 130, SIGTERM: 143 } as const;
  let code: number | undefined;
  const listeners = Object.entries(codes).map(([name, value]) => {
    const listener = () => {
      code ??= value;
      stop();
    };
    Deno.addSignalListener(name as Deno.Signal, listener);
    return [name as Deno.Signal, listener] as const;
  });
  let stopped = false;
  const stop = () => {
    if (stopped) return;
    stopped = true;
    for (const [name, listener] of listeners) Deno.removeSignalListener(name, listener);
  };
  return { signal: () => code, stop };
}
