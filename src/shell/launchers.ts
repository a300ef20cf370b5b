/** Programs that start another program: one line each says how to find it. */

/** How a launcher's arguments lead to the command that it starts. */
export interface Launcher {
  /** Letters of short options that take a value. */
  readonly values?: string;
  /** Long options that take their value as the next argument. */
  readonly longValues?: readonly string[];
  /** Operands in front of the command (a duration, a host, an image, …). */
  readonly skip?: number;
  /** `NAME=value` operands in front of the command set its environment. */
  readonly assignments?: boolean;
  /** The operands, joined by spaces, are a shell script. */
  readonly script?: boolean;
  /** Every operand is a shell script of its own; `script` reads them as one besides. */
  readonly scripts?: boolean;
  /** Options whose value is a shell script. */
  readonly code?: readonly string[];
  /** Options whose value is the directory of the command. */
  readonly directory?: readonly string[];
  /** First words that come before the command (`run`, `exec`); without them it is no launcher. */
  readonly subcommands?: readonly string[];
  /** Only what follows `--` is a command. */
  readonly afterDashes?: boolean;
  /**
   * Everything behind the first of these is the command (`gdb --args`, `nix develop -c`). Without them nothing is
   * started, unless `afterDashes` says where a command may stand besides.
   */
  readonly commandAfter?: readonly string[];
  /** Long options that take two values. */
  readonly pairs?: readonly string[];
  /** The command runs as root. */
  readonly privileged?: boolean;
  /** The command runs in another place, which the first operand names. */
  readonly remote?: string;
  /** The command is detached. */
  readonly background?: boolean;
  /** The launcher itself is an invocation of interest too. */
  readonly keep?: boolean;
  /** Of the first words, those that have the command right behind them, whatever `skip` says of the others. */
  readonly unskipped?: readonly string[];
  /** Program that runs the command where it is a file of that language, or standard input. */
  readonly language?: string;
  /** Letters of options with which it only shows something and starts nothing. */
  readonly shows?: string;
}

/** Long options of terminals that take a value. */
const terminalValues = (
  "title window-title geometry profile window-with-profile tab-with-profile working-directory cwd workdir role class " +
  "app-id name config-file config option override directory listen-on session domain workspace pane-id window-id layout " +
  "font background icon"
).split(" ");

const run = { subcommands: ["run"] } as const;
const exec = { subcommands: ["exec"] } as const;

/** By program name. One line adds one. */
export const launchers: Readonly<Record<string, Launcher>> = {
  sudo: {
    values: "ugpChDRTUrtc",
    longValues: "user group prompt close-from host chdir chroot command-timeout other-user role type".split(
      " ",
    ),
    assignments: true,
    privileged: true,
    directory: ["D", "chdir"],
  },
  doas: { values: "uC", privileged: true },
  su: {
    values: "csgG",
    longValues: ["command", "shell", "group", "supp-group"],
    code: ["c", "command"],
    privileged: true,
    skip: Infinity,
  },
  runuser: {
    values: "ucsgG",
    longValues: ["user", "command", "shell", "group", "supp-group"],
    code: ["c", "command"],
    privileged: true,
  },
  pkexec: { longValues: ["user"], privileged: true },
  sudoedit: { values: "ugpChDRTUrt", skip: Infinity, privileged: true, keep: true },
  gosu: { skip: 1 },
  "su-exec": { skip: 1 },
  setpriv: {
    longValues:
      "reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label apparmor-profile ptracer"
        .split(" "),
  },
  capsh: { skip: Infinity },
  nohup: { background: false },
  setsid: { background: true },
  nice: { values: "n", longValues: ["adjustment"] },
  ionice: { values: "cnpPu", longValues: ["class", "classdata"] },
  chrt: { values: "pTDPe", skip: 1 },
  taskset: { skip: 1 },
  numactl: {
    values: "imCNpPlL",
    longValues: ["membind", "cpunodebind", "interleave", "preferred", "physcpubind"],
  },
  timeout: { values: "ks", longValues: ["kill-after", "signal"], skip: 1 },
  gtimeout: { values: "ks", longValues: ["kill-after", "signal"], skip: 1 },
  time: { values: "fo", longValues: ["format", "output"] },
  gtime: { values: "fo", longValues: ["format", "output"] },
  stdbuf: { values: "ioe", longValues: ["input", "output", "error"] },
  unbuffer: {},
  command: { shows: "vV" },
  builtin: {},
  exec: { values: "a" },
  noglob: {},
  nocorrect: {},
  "-": {},
  watch: { values: "nq", longValues: ["interval", "equexit"], script: true },
  entr: { keep: true },
  chroot: { longValues: ["userspec", "groups"], skip: 1, privileged: true, keep: true },
  nsenter: { values: "tSGD", longValues: ["target"], privileged: true, keep: true },
  unshare: {
    values: "SGRw",
    longValues: ["map-user", "map-group", "setuid", "setgid", "root", "wd", "propagation", "setgroups"],
    keep: true,
  },
  flock: {
    values: "wEc",
    longValues: ["timeout", "wait", "conflict-exit-code", "command"],
    skip: 1,
    code: ["c", "command"],
  },
  script: {
    values: "cEIOBTmo",
    longValues: ["command", "echo", "log-in", "log-out", "log-io", "log-timing", "output-limit"],
    code: ["c", "command"],
    keep: true,
    skip: Infinity,
  },
  busybox: {},
  rtk: {},
  proxy: {},
  autoexpect: { values: "fc" },
  empty: { values: "iopLt" },
  toybox: {},
  strace: { values: "aAbeEIoOpPsSuUX", longValues: ["output", "attach", "trace", "signal"] },
  ltrace: { values: "aAeFlnopsuwx" },
  gdb: { commandAfter: ["--args", "-args"], keep: true },
  lldb: { commandAfter: ["--"], keep: true },
  valgrind: {},
  perf: { subcommands: ["stat", "record", "trace"], values: "eopFcCrIDM" },
  caffeinate: { values: "tw" },
  arch: { values: "e" },
  setarch: { skip: 1 },
  linux32: {},
  linux64: {},
  proxychains: { values: "f" },
  proxychains4: { values: "f" },
  torsocks: { values: "uaPd" },
  torify: {},
  firejail: {},
  bwrap: {
    longValues:
      "tmpfs proc dev dir chdir unsetenv uid gid hostname args argv0 lock-file remount-ro mqueue perms size sync-fd info-fd seccomp cap-add cap-drop exec-label file-label userns"
        .split(" "),
    pairs:
      "bind bind-try ro-bind ro-bind-try dev-bind dev-bind-try symlink setenv file bind-data ro-bind-data chmod overlay-src"
        .split(" "),
    directory: ["chdir"],
    keep: true,
  },
  // They share home with the machine.
  toolbox: { ...run, values: "cdr", longValues: ["container", "distro", "release"], keep: true },
  "distrobox-enter": {
    values: "na",
    longValues: ["name", "additional-flags"],
    commandAfter: ["--", "-e", "--exec"],
    keep: true,
  },
  distrobox: {
    subcommands: ["enter"],
    values: "na",
    longValues: ["name", "additional-flags"],
    commandAfter: ["--", "-e", "--exec"],
    keep: true,
  },
  "flatpak-spawn": { longValues: ["directory"], directory: ["directory"], keep: true },
  "host-spawn": { keep: true },
  fakeroot: { values: "lsib", longValues: ["lib", "faked", "save-file", "load-file", "unknown-is-real"] },
  eatmydata: {},
  catchsegv: {},
  "systemd-run": {
    values: "pHMEtuCG",
    longValues:
      "unit property description slice setenv working-directory on-active on-boot on-calendar timer-property uid gid nice service-type machine host"
        .split(" "),
    directory: ["working-directory"],
    keep: true,
    background: true,
  },
  "systemd-inhibit": { longValues: ["what", "who", "why", "mode"] },
  "dbus-run-session": { longValues: ["config-file", "dbus-daemon"] },
  "xvfb-run": {
    values: "efnpsw",
    longValues: ["error-file", "auth-file", "server-num", "xauth-protocol", "server-args", "wait"],
  },
  cgexec: { values: "g" },
  prlimit: { values: "p", longValues: ["pid", "output"] },
  softlimit: { values: "acdflmnoprst" },
  chpst: { values: "ueblmdofcprt12n" },
  daemonize: { values: "aceopluE", background: true },
  "start-stop-daemon": {
    longValues: ["exec", "pidfile", "name", "user", "chdir", "signal"],
    afterDashes: true,
    keep: true,
  },
  ssh: { values: "BbcDEeFIiJLlmOopQRSWw", skip: 1, script: true, remote: "ssh", keep: true },
  mosh: { longValues: ["ssh", "server", "client", "port", "predict"], skip: 1, remote: "ssh", keep: true },
  sshpass: { values: "pfde" },
  autossh: { values: "BbcDEeFIiJLlmOopQRSWwM", skip: 1, script: true, remote: "ssh", keep: true },
  rsh: { values: "l", skip: 1, script: true, remote: "ssh", keep: true },
  docker: { ...containerOptions(), subcommands: ["run", "exec"], skip: 1, remote: "container", keep: true },
  podman: {
    ...containerOptions(),
    subcommands: ["run", "exec", "unshare"],
    unskipped: ["unshare"],
    skip: 1,
    remote: "container",
    keep: true,
  },
  nerdctl: { ...containerOptions(), subcommands: ["run", "exec"], skip: 1, remote: "container", keep: true },
  "docker-compose": {
    ...containerOptions(),
    subcommands: ["run", "exec"],
    skip: 1,
    remote: "container",
    keep: true,
  },
  kubectl: {
    values: "nc",
    longValues: "namespace container context kubeconfig cluster user pod-running-timeout image target profile"
      .split(" "),
    subcommands: ["exec", "run", "debug"],
    skip: 1,
    afterDashes: true,
    remote: "pod",
    keep: true,
  },
  oc: {
    values: "nc",
    longValues: ["namespace", "container"],
    ...exec,
    skip: 1,
    afterDashes: true,
    remote: "pod",
    keep: true,
  },
  lxc: { ...exec, skip: 1, afterDashes: true, remote: "container", keep: true },
  incus: { ...exec, skip: 1, afterDashes: true, remote: "container", keep: true },
  "lxc-attach": {
    values: "nfPo",
    longValues: ["name", "rcfile", "lxcpath"],
    remote: "container",
    keep: true,
  },
  "systemd-nspawn": {
    values: "DuMibxjEU",
    longValues: "directory user machine image bind bind-ro chdir setenv property overlay template root-hash"
      .split(" "),
    keep: true,
  },
  machinectl: {
    subcommands: ["shell"],
    longValues: ["uid", "setenv"],
    skip: 1,
    remote: "container",
    keep: true,
  },
  proot: { values: "rbwqkmS", longValues: ["rootfs", "bind", "cwd", "pwd", "qemu"], keep: true },
  "sandbox-exec": { values: "pfnD", keep: true },
  limactl: {
    subcommands: ["shell"],
    longValues: ["workdir", "shell"],
    skip: 1,
    remote: "machine",
    keep: true,
  },
  lima: { remote: "machine", keep: true },
  colima: { subcommands: ["ssh"], values: "p", longValues: ["profile"], remote: "machine", keep: true },
  orb: { values: "muw", longValues: ["machine", "user", "workdir"], remote: "machine", keep: true },
  gh: {
    subcommands: ["ssh"],
    values: "cR",
    longValues: ["codespace", "repo", "profile", "server-port"],
    remote: "machine",
    script: true,
    keep: true,
  },
  pssh: { values: "hHlptoexOw", script: true, remote: "ssh", keep: true },
  "parallel-ssh": { values: "hHlptoexOw", script: true, remote: "ssh", keep: true },
  pdsh: { values: "wxlutRfg", script: true, remote: "ssh", keep: true },
  clush: { values: "wxglftuo", script: true, remote: "ssh", keep: true },
  fab: { values: "HcSi", longValues: ["hosts", "collection", "identity"], commandAfter: ["--"], keep: true },
  "salt-call": {
    values: "lc",
    longValues: ["log-level", "config-dir"],
    subcommands: ["cmd.run", "cmd.shell"],
    script: true,
    keep: true,
  },
  envchain: { skip: 1, keep: true },
  "s6-setuidgid": { skip: 1 },
  jj: { ...exec, afterDashes: true, keep: true },
  rr: { subcommands: ["record"], values: "onvM", keep: true },
  samply: { subcommands: ["record"], values: "ord", longValues: ["rate", "output", "duration"], keep: true },
  "py-spy": {
    subcommands: ["record", "top"],
    values: "ordfp",
    longValues: ["output", "rate", "duration", "format"],
    keep: true,
  },
  flox: {
    subcommands: ["activate"],
    values: "cdr",
    longValues: ["command", "dir", "remote"],
    code: ["c", "command"],
    skip: Infinity,
    afterDashes: true,
    keep: true,
  },
  cmake: { subcommands: ["-E"], keep: true },
  vagrant: {
    subcommands: ["ssh"],
    values: "c",
    longValues: ["command"],
    code: ["c", "command"],
    skip: Infinity,
    remote: "machine",
    keep: true,
  },
  multipass: { ...exec, skip: 1, afterDashes: true, remote: "machine", keep: true },
  wsl: { values: "du", longValues: ["distribution", "user", "cd"], keep: true },
  uv: {
    ...run,
    values: "pw",
    longValues:
      "with python project directory group extra env-file with-requirements with-editable package index"
        .split(" "),
    language: "python3",
    keep: true,
  },
  uvx: { values: "p", longValues: ["with", "from", "python"], keep: true },
  poetry: { ...run, values: "CP", longValues: ["directory", "project"] },
  pipenv: run,
  pdm: { ...run, values: "p", longValues: ["project"] },
  hatch: { ...run, values: "e", longValues: ["env"] },
  rye: run,
  pixi: {
    subcommands: ["run", "exec"],
    values: "esc",
    longValues: ["environment", "manifest-path", "spec", "channel"],
  },
  conda: { ...run, values: "np", longValues: ["name", "prefix", "cwd"] },
  mamba: { ...run, values: "np", longValues: ["name", "prefix", "cwd"] },
  micromamba: { ...run, values: "np", longValues: ["name", "prefix"] },
  npx: { values: "pcw", longValues: ["package", "call", "workspace"], code: ["c", "call"], keep: true },
  bunx: { values: "p", longValues: ["package"], keep: true },
  pnpx: { keep: true },
  npm: {
    subcommands: ["exec", "x"],
    values: "cpw",
    longValues: ["call", "package", "workspace", "prefix"],
    code: ["c", "call"],
    keep: true,
  },
  pnpm: { subcommands: ["exec", "dlx"], values: "Cc", longValues: ["filter", "dir", "package"], keep: true },
  yarn: {
    subcommands: ["exec", "dlx"],
    values: "pj",
    longValues: ["package", "cwd", "include", "exclude", "from", "jobs"],
    keep: true,
  },
  bun: { subcommands: ["x"], keep: true },
  lerna: { ...exec, longValues: ["scope", "ignore", "concurrency", "since"], script: true, keep: true },
  nx: { ...exec, commandAfter: ["--"], keep: true },
  cargo: {
    subcommands: ["watch"],
    values: "xsiwdCEBN",
    longValues: ["exec", "shell", "ignore", "watch", "delay", "workdir", "use-shell"],
    code: ["s", "shell"],
    skip: Infinity,
    keep: true,
  },
  just: { commandAfter: ["-c", "--command"], keep: true },
  devbox: { ...run, values: "ce", longValues: ["config", "env", "env-file"], keep: true },
  devenv: { subcommands: ["shell"], keep: true },
  guix: { subcommands: ["shell", "environment"], commandAfter: ["--"], keep: true },
  tox: { ...exec, values: "e", commandAfter: ["--"], keep: true },
  corepack: { keep: true },
  composer: { ...exec, keep: true },
  bundle: { ...exec, keep: true },
  rbenv: exec,
  pyenv: exec,
  nodenv: exec,
  asdf: { ...exec },
  mise: {
    subcommands: ["exec", "x", "en", "watch"],
    values: "cCj",
    longValues: ["command", "cd", "jobs"],
    code: ["c", "command"],
    skip: Infinity,
    afterDashes: true,
  },
  rtx: { ...exec, afterDashes: true },
  nvm: { ...exec, skip: 1 },
  fnm: { ...exec, longValues: ["using"] },
  volta: run,
  rustup: { ...run, skip: 1 },
  nix: {
    subcommands: ["shell", "develop", "run"],
    commandAfter: ["-c", "--command"],
    afterDashes: true,
    keep: true,
  },
  "nix-shell": {
    longValues: ["run", "command", "packages"],
    values: "pA",
    code: ["run", "command"],
    skip: Infinity,
    keep: true,
  },
  direnv: { ...exec, skip: 1 },
  dotenv: { values: "efpvc", longValues: ["file"] },
  "dotenv-cli": { values: "efpvc" },
  dotenvx: { ...run, values: "fe", longValues: ["env-file", "env"] },
  op: { ...run, longValues: ["env-file", "account"] },
  doppler: { ...run, values: "pc", longValues: ["project", "config", "command", "token"], code: ["command"] },
  infisical: { ...run, longValues: ["env", "path", "command", "projectId"], code: ["command"] },
  "aws-vault": { ...exec, values: "d", longValues: ["duration", "region", "mfa-token"], skip: 1 },
  chamber: { ...exec, skip: 1, afterDashes: true },
  sops: { subcommands: ["exec-env", "exec-file"], skip: 1, script: true, keep: true },
  teller: { ...run, afterDashes: true },
  "with-env": {},
  "cross-env": { assignments: true },
  "cross-env-shell": { assignments: true, script: true },
  "env-cmd": { values: "fe", longValues: ["file", "environments"] },
  "wait-on": { skip: Infinity },
  hyperfine: {
    values: "wrmMpcnLSN",
    longValues:
      "warmup runs min-runs max-runs prepare cleanup setup parameter-list export-json export-markdown command-name shell"
        .split(" "),
    code: ["p", "prepare", "c", "cleanup", "s", "setup"],
    script: true,
    scripts: true,
  },
  concurrently: {
    values: "ncptlms",
    longValues: [
      "names",
      "name-separator",
      "success",
      "prefix",
      "prefix-colors",
      "prefix-length",
      "timestamp-format",
      "restart-tries",
      "restart-after",
      "max-processes",
      "default-input-target",
      "kill-signal",
    ],
    script: true,
    scripts: true,
  },
  mprocs: { longValues: ["config", "server", "ctl", "names"], script: true, scripts: true },
  nodemon: {
    values: "wexid",
    longValues: ["exec", "watch", "ext", "ignore"],
    code: ["x", "exec"],
    skip: Infinity,
    keep: true,
  },
  chokidar: { values: "cdi", longValues: ["command"], code: ["c", "command"], skip: Infinity, keep: true },
  watchexec: { values: "ewfid", longValues: ["exts", "watch", "filter", "ignore", "debounce"], keep: true },
  tmux: {
    subcommands: [
      "new-session",
      "new",
      "new-window",
      "neww",
      "split-window",
      "splitw",
      "run-shell",
      "run",
      "respawn-pane",
      "respawn-window",
      "send-keys",
      "send",
    ],
    values: "sntcFxye",
    script: true,
    keep: true,
    background: true,
  },
  screen: { values: "ScehpsTX", script: true, keep: true, background: true },
  // Terminals, and what types into them.
  "gnome-terminal": { longValues: terminalValues, keep: true, background: true },
  "mate-terminal": { longValues: terminalValues, keep: true, background: true },
  "xfce4-terminal": { longValues: terminalValues, keep: true, background: true },
  "x-terminal-emulator": { longValues: terminalValues, keep: true, background: true },
  kgx: { longValues: terminalValues, keep: true, background: true },
  ptyxis: { values: "T", longValues: terminalValues, keep: true, background: true },
  tilix: { values: "tpw", longValues: terminalValues, keep: true, background: true },
  terminator: { values: "Tpg", longValues: terminalValues, keep: true, background: true },
  konsole: { values: "p", longValues: terminalValues, keep: true, background: true },
  alacritty: { values: "oT", longValues: terminalValues, keep: true, background: true },
  ghostty: { longValues: terminalValues, keep: true, background: true },
  lxterminal: { longValues: terminalValues, keep: true, background: true },
  foot: { values: "acDtTwWoL", longValues: terminalValues, keep: true, background: true },
  footclient: { values: "acDtTwWo", longValues: terminalValues, keep: true, background: true },
  // `kitty COMMAND`; of `kitty @ send-text TEXT` the sign comes first in turn.
  "@": { subcommands: ["send-text"], values: "mt", longValues: ["match"], script: true },
  kitty: { values: "cdTo", longValues: terminalValues, script: true, keep: true, background: true },
  kitten: { subcommands: ["send-text"], values: "mt", longValues: ["match"], script: true, keep: true },
  wezterm: {
    subcommands: ["start", "spawn", "send-text"],
    longValues: terminalValues,
    script: true,
    keep: true,
  },
  zellij: {
    subcommands: ["run", "write-chars"],
    values: "dn",
    longValues: terminalValues,
    script: true,
    keep: true,
  },
  dtach: { values: "nNcAapeErz", keep: true, background: true },
  abduco: { values: "ncAae", keep: true, background: true },
  xdotool: { subcommands: ["type"], longValues: ["delay", "window", "args"], script: true, keep: true },
  ydotool: { subcommands: ["type"], values: "dHf", longValues: ["delay", "file"], script: true, keep: true },
  wtype: { values: "kMmPps", script: true, keep: true },
  asciinema: {
    subcommands: ["rec", "record"],
    values: "cteIifW",
    longValues: ["command", "title", "env", "idle-time-limit"],
    code: ["c", "command"],
    skip: Infinity,
    keep: true,
  },
  cpulimit: { values: "lpe", longValues: ["limit"] },
  trickle: { values: "dustw" },
  chronic: {},
  ts: { skip: Infinity, keep: true },
  ifne: {},
  rlwrap: { values: "abcdfghHilmopPqrsStwz" },
  winpty: {},
};

function containerOptions(): Launcher {
  return {
    values: "eulwvphamc",
    longValues:
      "env user label workdir volume publish hostname attach memory cpus name network net env-file entrypoint mount platform cap-add cap-drop device add-host dns gpus ipc log-driver log-opt pid pull restart runtime security-opt shm-size stop-signal stop-timeout tmpfs ulimit userns volumes-from cidfile cgroup-parent detach-keys expose group-add health-cmd index project-name file profile project-directory annotation"
        .split(" "),
  };
}
