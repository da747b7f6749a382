# Sourced by the scripts beside it: where things are, how to speak, how to become root.
# shellcheck shell=bash
# Everything a script makes is under var/ of the repository, never in /tmp, which may be small.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
VAR="$ROOT/var"
# Read by the scripts that source this one, and by make, which passes its own values on.
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

# as_root COMMAND...: runs it as root, through sudo where we are not root already.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
        return
    fi
    can_be_root || die "this needs root and sudo does not let us in; run the same command as root: $*"
    sudo "$@"
}

# alone NAME: one run at a time. The lock is inherited by children, so it outlives a killed script until its
# last child is gone, and nobody cleans up under a living one.
alone() {
    exec 9>"$VAR/$1.lock"
    flock -n 9 && return
    say "waiting for another $1"
    flock -w 1800 9 || die "another $1 holds var/$1.lock for half an hour: see 'fuser -v var/$1.lock'"
}

# digest: the first 16 hex digits of the SHA-256 of standard input.
digest() { sha256sum | cut -c1-16; }

image_exists() { docker image inspect "$1" >/dev/null 2>&1; }

engine_answers() { timeout 20 docker info >/dev/null 2>&1; }

need_engine() { engine_answers || die "no Docker engine answers; run: bash deploy/docker-engine.sh start"; }
