#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that a profile needs and that are missing on this machine.
# Usage: packages.sh run|test, or packages.sh COMMAND=PACKAGE|PACKAGE...
# A package counts as present if its command exists, even if that was installed in another way (docker-ce, a tarball).
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

RUN_PACKAGES=(dockerd=docker.io docker=docker-cli debootstrap=debootstrap flock=util-linux)
# faketime changes the service's clock in soak tests; chromium runs the browser tests; psql is the command by which PostgreSQL is
# recognized; nats-server connects the service with nodes; docker-compose is needed for the tests of deploy/compose.yaml.
TEST_PACKAGES=("${RUN_PACKAGES[@]}" faketime=faketime chromium=chromium psql=postgresql nats-server=nats-server
    docker-compose=docker-compose)

# A font with Chinese, Japanese and Korean characters for PDF reports, which print such characters as numbers without it. It is
# optional: it is only installed when other packages are installed too.
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

# known PACKAGE: whether the package lists contain a package. The docker command is in docker.io before Debian 13, in docker-cli
# from then on.
known() { [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]; }

install_missing() {
    local name log="$VAR/packages.log" names=()
    command -v apt-get >/dev/null || die "this is not a Debian or Ubuntu system; install by hand: $*"
    apt update >"$log" 2>&1 || say "apt-get update failed (see var/packages.log); using the existing package lists"
    for name in "$@"; do
        if [ "$name" = docker-cli ] && ! known docker-cli; then name=docker.io; fi
        known "$name" || die "this system's package lists have no package '$name'; install it by hand"
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
