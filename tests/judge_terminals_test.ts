/** Commands started in a terminal of their own, or typed into one that is there, are judged like others. */

import { table } from "./judge_table.ts";

table("in a terminal of its own", "deny", [
  "gnome-terminal -- rm -rf ~",
  "gnome-terminal --title x -- rm -rf ~",
  "konsole -e rm -rf ~",
  "alacritty -e rm -rf ~",
  "alacritty -T title -e rm -rf ~",
  "foot rm -rf ~",
  "kitty --title x rm -rf ~",
  "wezterm start --cwd / -- rm -rf ~",
  "x-terminal-emulator -e rm -rf ~",
  "zellij run -- rm -rf ~",
  "screen -dmS x rm -rf ~",
  "dtach -n socket rm -rf ~",
  "abduco -n name rm -rf ~",
  "asciinema rec -c 'rm -rf ~' x.cast",
]);

table("typed into a terminal that is there", "deny", [
  "tmux send-keys -t 0 'rm -rf ~' Enter",
  "screen -S x -X stuff 'rm -rf / '",
  "wezterm cli send-text --pane-id 0 'rm -rf ~'",
  "kitty @ send-text 'rm -rf ~'",
  "kitten @ send-text --match id:1 'rm -rf ~'",
  "zellij action write-chars 'rm -rf ~'",
  "xdotool type --delay 5 'rm -rf ~'",
  "ydotool type 'rm -rf ~'",
  "wtype 'rm -rf ~'",
]);

table("terminals that do nothing of the kind", "none", [
  "gnome-terminal",
  "gnome-terminal --working-directory src",
  "alacritty --version",
  "konsole --profile work",
  "kitty @ ls",
  "wezterm cli list",
  "zellij list-sessions",
  "screen -ls",
  "screen -r main",
  "dtach -a socket",
  "abduco -a name",
  "xdotool getactivewindow",
  "tmux send-keys -t 0 'npm test' Enter",
  "foot npm test",
  "asciinema play x.cast",
]);
