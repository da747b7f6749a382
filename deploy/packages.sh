#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that a profile needs and this machine lacks.
# Usage: packages.sh run|test, or packages.sh COMMAND=PACKAGE|PACKAGE...
# A package counts as present when its command is there, however it came (docker-ce, a tarball).
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

RUN_PACKAGES=(dockerd=docker.io docker=docker-cli debootstrap=debootstrap flock=util-linux)
# faketime moves the clock of the service under soak; chromium looks at the site; psql stands for all of PostgreSQL;
# nats-server carries messages between the service and nodes on other machines; docker-compose reads deploy/compose.yaml.
TEST_PACKAGES=("${RUN_PACKAGES[@]}" faketime=faketime chromium=chromium psql=postgresql nats-server=nats-server
    docker-compose=docker-compose)

# Chinese, Japanese and Korean in reports (PDF). Without it their characters are told by their numbers, so it is never what a
# machine waits for: it comes along where something else is installed.
FONT=fonts-droid-fallback

wanted() {
    case "$1" in
        run) printf '%s\n' "${RUN_PACKAGES[@]}" ;;
        test) printf '%s\n' "${TEST_PACKAGES[@]}" ;;
        *) printf '%s\n' "$@" ;;
    esac
}

missing() {
    local pair
    wanted "$@" | while IFS= read -r pair; do
        PATH="$PATH:/usr/sbin:/sbin" command -v "${pair%%=*}" >/dev/null || printf '%s\n' "${pair#*=}"
    done
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
        apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

# Before Debian 13 the docker command is part of docker.io; afterwards it is docker-cli.
known() { [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]; }

install_missing() {
    local name log="$VAR/packages.log" names=()
    command -v apt-get >/dev/null || die "not a Debian or Ubuntu system; install by hand: $*"
    apt update >"$log" 2>&1 || say "apt-get update failed (var/packages.log); going on with the lists there are"
    for name in "$@"; do
        if [ "$name" = docker-cli ] && ! known docker-cli; then name=docker.io; fi
        known "$name" || die "no package '$name' in this system's package lists; install it by hand"
        names+=("$name")
    done
    if known "$FONT"; then names+=("$FONT"); fi
    apt install -y --no-install-recommends "${names[@]}" >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        die "apt-get install ${names[*]} failed; the whole output is in var/packages.log"
    }
}

[ $# -gt 0 ] || die "usage: packages.sh run|test, or packages.sh COMMAND=PACKAGE|PACKAGE..."
lacking="$(missing "$@")"
if [ -z "$lacking" ]; then
    say "system packages: nothing missing"
    exit 0
fi
mapfile -t names <<<"$lacking"
say "system packages: installing ${names[*]}"
install_missing "${names[@]}"
