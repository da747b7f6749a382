#!/usr/bin/env bash
# Gets programs that tests need to check the files in deploy/. Usage: programs.sh COMMAND=PACKAGE...
# Downloads the packages and only unpacks the commands into var/programs, because installing a server's package would start it.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PROGRAMS="$VAR/programs"
LOG="$VAR/programs.log"
PATH="$PATH:/usr/sbin:/sbin:$PROGRAMS"

fetch() {
    local command="$1" package="$2" folder
    folder="$(mktemp -d "$VAR/programs.XXXXXX")"
    # shellcheck disable=SC2064
    trap "rm -rf '$folder'" RETURN
    (cd "$folder" && apt-get -q download "$package" && dpkg-deb -x ./*.deb unpacked) >"$LOG" 2>&1 </dev/null || return 1
    install -m 0755 "$(find "$folder/unpacked" -path "*bin/$command" -type f -print -quit)" "$PROGRAMS/$command" >>"$LOG" 2>&1
}

[ $# -gt 0 ] || die "usage: programs.sh COMMAND=PACKAGE..."
mkdir -p "$PROGRAMS"
alone programs
for pair in "$@"; do
    if command -v "${pair%%=*}" >/dev/null; then continue; fi
    say "programs: unpacking ${pair%%=*} from ${pair#*=}"
    fetch "${pair%%=*}" "${pair#*=}" || die "could not get ${pair%%=*} from the package ${pair#*=}; see var/programs.log"
done
