/** Programs of everyday work; what they do is known, and judged by other rules. */

const known = new Set(
  // Of shells themselves.
  (". : [ [[ alias bg break builtin case cd command compgen complete continue declare dirs disown echo enable eval exec exit " +
    "export false fc fg getopts hash help history if jobs let local logout mapfile popd printf pushd pwd read readarray " +
    "readonly return select set shift shopt source test time times trap true type typeset ulimit umask unalias unset " +
    "until wait while bash sh zsh dash ksh fish " +
    // Files and texts.
    "awk basename bat bunzip2 bzip2 cat chgrp chmod chown cksum cmp column comm cp csplit cut dd df diff dircolors dirname " +
    "du egrep expand expr fd fgrep file find fmt fold gawk grep gunzip gzip head hexdump iconv install join jq less ln ls " +
    "lsof md5sum mkdir mkfifo mktemp more mv nl od paste patch pr readlink realpath rg rm rmdir sed seq sha1sum sha256sum " +
    "sha512sum shred shuf sort split stat strings sum sync tac tail tar tee touch tr tree truncate tsort unexpand uniq " +
    "unlink unxz unzip vi vim view wc xargs xxd xz yq zcat zip zstd nano emacs " +
    // The machine.
    "arch cal clear date env free getconf groups hostname id kill killall last less locale logname lscpu lsblk man nice " +
    "nohup nproc pgrep pidof pkill printenv ps pstree reset setsid sleep stdbuf stty sudo tput timeout top tty uname " +
    "uptime users vmstat w watch which whereis who whoami yes xdg-open open pbcopy pbpaste journalctl systemctl " +
    // Development.
    "git git-lfs hg svn make gmake cmake ninja meson gcc g++ cc c++ clang clang++ ld ar nm objdump strip gdb lldb valgrind " +
    "node npm npx pnpm yarn bun bunx deno tsc tsx eslint prettier jest vitest mocha playwright cypress webpack vite rollup " +
    "esbuild turbo nx lerna biome python python3 pip pip3 pipx uv uvx poetry pdm pytest tox nox ruff black isort mypy " +
    "flake8 pylint coverage pre-commit virtualenv conda cargo rustc rustup rustfmt clippy-driver go gofmt golangci-lint " +
    "java javac jar mvn gradle kotlinc scala sbt ruby gem bundle rake rspec rubocop php composer phpunit perl lua dotnet " +
    "swift xcodebuild flutter dart elixir mix erl ghc cabal stack zig nim ocaml dune terraform tofu docker docker-compose " +
    "podman kubectl helm psql mysql sqlite3 redis-cli mongosh curl wget ssh scp rsync gh glab aws gcloud az shellcheck " +
    "hyperfine tokei cloc ctags protoc openssl gpg base64 guard " +
    // Windows.
    "get-childitem get-content get-item get-location get-process get-service get-command get-help get-date select-string " +
    "select-object where-object foreach-object sort-object measure-object format-table format-list out-file out-string " +
    "out-null write-output write-host set-location set-content add-content new-item remove-item copy-item move-item " +
    "rename-item test-path resolve-path join-path split-path convertto-json convertfrom-json powershell pwsh cmd dir type " +
    "copy move del erase md rd ren findstr where tasklist more").split(" "),
);

/** Whether a program, by its name, is one of everyday work. */
export function isKnownProgram(name: string): boolean {
  return known.has(name);
}
