# Variables and functions for the scripts in this folder, which source this file.
# shellcheck shell=bash
# Scripts write under var/ in the repository, never in /tmp, which may be small.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
VAR="$ROOT/var"
# The version of torch to install. make passes its value of TORCH to the scripts.
# shellcheck disable=SC2034
TORCH="${TORCH:-torch==2.13.0}"
mkdir -p "$VAR"

say() { printf '== %s\n' "$*" >&2; }

die() {
    printf '== error: %s\n' "$*" >&2
    exit 1
}

can_be_root() {
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }
}

# as_root COMMAND...: runs the command as root, with sudo unless we are root already.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
        return
    fi
    can_be_root || die "this needs root, and sudo refused; run the same command as root: $*"
    sudo "$@"
}

# alone NAME: waits until no other script holds the lock NAME, and holds it until this script and its children have ended.
# Children inherit the lock, so that after a script is killed no other run removes files that its children still use.
alone() {
    exec 9>"$VAR/$1.lock"
    flock -n 9 && return
    say "waiting for another $1"
    flock -w 1800 9 || die "another $1 has held var/$1.lock for half an hour; 'fuser -v var/$1.lock' shows which process"
}

# digest: the first 16 hex digits of the SHA-256 of standard input.
digest() { sha256sum | cut -c1-16; }

image_exists() { docker image inspect "$1" >/dev/null 2>&1; }

engine_answers() { timeout 20 docker info >/dev/null 2>&1; }

need_engine() { engine_answers || die "no Docker engine answers; run: bash deploy/docker-engine.sh start"; }
