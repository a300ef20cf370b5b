/** guard's own commands typed into another terminal, or started in one that is made for it. */

import type { Invocation } from "../../src/shell/model.ts";

/** Programs that type into a terminal, that start a command in one, or that start a program by its path. */
export const typingPrograms: readonly string[] = (
  "tmux byobu screen zellij wezterm kitty kitten alacritty ghostty foot footclient xterm uxterm urxvt rxvt st konsole " +
  "gnome-terminal kgx ptyxis xfce4-terminal mate-terminal lxterminal terminator tilix terminology x-terminal-emulator wt " +
  "osascript xdotool ydotool dotool wtype xte xvkbd cliclick qdbus dbus-send gdbus expect autoexpect empty script unbuffer " +
  "socat dtach abduco ttyrec asciinema hyprctl swaymsg i3-msg emacsclient nvr " +
  "ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1"
).split(" ");

const verbs =
  /^(?:\.exe)?(allow|uninstall|pause|resume|disable|trust|mcp(?:--?[a-z-]+)*(?:trust|forget|accept|reset)|policy(?:set|unset|edit|reset|trust|allow|add|remove|init|import))/i;

/** Longest arguments that are looked through, in characters. */
const limit = 65_536;

/**
 * What of guard's the arguments or the input of such a program command, as `guard allow`; undefined when nothing.
 * Blanks do not count: keys are given one by one, by name, as words of their own, or as numbers.
 *
 * @param own name of guard's executable without extension
 */
export function typedCommand({ program, args, stdin }: Invocation, own: string): string | undefined {
  const texts = args.map((word) => word.text);
  if (program === "tmux" && texts.some((text) => /^-[a-zA-Z]*H/.test(text))) {
    const codes = texts.filter((text) => /^[0-9a-fA-F]{2}$/.test(text));
    texts.push(codes.map((code) => String.fromCharCode(parseInt(code, 16))).join(""));
  }
  if (stdin !== undefined) texts.push(stdin.text);
  const glued = texts.join(" ").slice(0, limit)
    .replaceAll(/\bspace\b/gi, " ")
    .replaceAll(/\\[nrt]|[\s"'\\,;{}()[\]]+/g, "");
  const lower = glued.toLowerCase();
  for (const name of new Set(["guard", own.toLowerCase()])) {
    for (let at = lower.indexOf(name); at >= 0 && name !== ""; at = lower.indexOf(name, at + name.length)) {
      const verb = verbs.exec(glued.slice(at + name.length, at + name.length + 40))?.[1];
      if (verb !== undefined) return `${name} ${verb}`;
    }
  }
  return undefined;
}
