#!/bin/sh
# Installs guard: downloads the executable for this system and its checksum, verifies it, puts it in place.
#
#   sh install.sh
#
# GUARD_INSTALL_DIR  where the executable goes (default: ~/.local/bin)
# GUARD_BASE_URL     where the release's files are (default: the release that this script belongs to)
#
# Everything is inside functions and the last line calls main, so that a script that was cut short does nothing.
set -eu

fail() {
  printf 'guard was not installed: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf '%s\n' "$2" >&2
  exit 1
}

asset_name() {
  system=$(uname -s)
  machine=$(uname -m)
  case $machine in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
  esac
  case $system-$machine in
    Linux-x64 | Linux-arm64) printf 'guard-linux-%s\n' "$machine" ;;
    Darwin-x64 | Darwin-arm64) printf 'guard-macos-%s\n' "$machine" ;;
    *)
      fail "there is no executable for $system on $machine" \
        "Systems with one: Linux and macOS on x64 and arm64; on Windows use install.ps1."
      ;;
  esac
}

# download URL FILE
download() {
  case $1 in
    https://*) protocol='=https' ;;
    http://127.0.0.1:* | http://localhost:*) protocol='=http' ;;
    *) fail "expected an https address, got $1" "Set GUARD_BASE_URL to the https address of a release." ;;
  esac
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --proto "$protocol" --proto-redir "$protocol" \
      --retry 2 --output "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is here" "Install one of them and run this script again."
  fi
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 <"$1" | sed 's/^.*= *//'
  else
    fail "no program for SHA-256 checksums is here" "Install sha256sum, shasum or openssl and run this script again."
  fi
}

main() {
  # The release puts its own address here.
  base=${GUARD_BASE_URL:-@BASE_URL@}
  case $base in
    @*) fail "this copy of install.sh does not know its release" "Take it from a release, or set GUARD_BASE_URL." ;;
  esac
  base=${base%/}
  directory=${GUARD_INSTALL_DIR:-${HOME:?HOME is not set; set it or GUARD_INSTALL_DIR}/.local/bin}
  asset=$(asset_name)

  mkdir -p -- "$directory" 2>/dev/null && [ -w "$directory" ] ||
    fail "$directory cannot be written" "Set GUARD_INSTALL_DIR to a directory of yours."
  # Beside its final place, so that the last step is one rename.
  work=$(mktemp -d "$directory/.guard-install.XXXXXX") || fail "$directory cannot be written" "Set GUARD_INSTALL_DIR."
  trap 'rm -rf -- "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  printf 'downloading %s/%s\n' "$base" "$asset"
  download "$base/SHA256SUMS" "$work/SHA256SUMS" ||
    fail "$base/SHA256SUMS could not be downloaded" "Check the connection and run this script again."
  download "$base/$asset" "$work/guard" ||
    fail "$base/$asset could not be downloaded" "Check the connection and run this script again."

  expected=$(awk -v name="$asset" '$2 == name || $2 == "*" name { print $1; exit }' "$work/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS has no line for $asset" "Report this: the release is incomplete."
  actual=$(sha256 "$work/guard")
  [ "$actual" = "$expected" ] ||
    fail "the checksum of $asset differs: expected $expected, got ${actual:-nothing}" \
      "Nothing was installed. Run this script again; if it happens twice, report it and do not use the file."

  chmod 755 "$work/guard"
  version=$("$work/guard" --version 2>/dev/null) ||
    fail "the executable does not start on this system" "It needs glibc on Linux; with another C library, run guard from source."
  mv -f -- "$work/guard" "$directory/guard" || fail "$directory/guard cannot be replaced" "Remove it, then run this script again."

  printf 'installed guard %s as %s\n' "$version" "$directory/guard"
  case :${PATH:-}: in
    *":$directory:"*) command=guard ;;
    *)
      command=$directory/guard
      printf '%s is not on your PATH; to add it, put this into the startup file of your shell:\n' "$directory"
      printf '  export PATH="%s:$PATH"\n' "$directory"
      ;;
  esac
  printf 'next, connect it to your agents:\n  %s install --all\n' "$command"
}

main "$@"
