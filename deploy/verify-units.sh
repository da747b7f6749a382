#!/usr/bin/env bash
# Checks the systemd units with `systemd-analyze verify`. Prints nothing if they are correct. The units expect programs below
# /opt/gradus. These paths are replaced, so that the check works in any checkout; without .venv, gradus is replaced by /bin/true.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

units="$(mktemp -d -p "$VAR")"
trap 'rm -rf "$units"' EXIT
gradus="$ROOT/.venv/bin/gradus"
[ -x "$gradus" ] || gradus=/bin/true
for unit in "$ROOT"/deploy/systemd/*; do
    name="$(basename "$unit")"
    # A template cannot be checked, so make it an instance.
    sed -e "s|/opt/gradus/.venv/bin/gradus|$gradus|; s|/opt/gradus|$ROOT|g" "$unit" >"$units/${name/@./@8001.}"
done
# systemd-analyze also reports other units of this machine. Only print lines about ours.
told="$(systemd-analyze verify --man=no "$units"/* 2>&1)" && code=0 || code=$?
printf '%s' "$told" | grep -F -e gradus -e "$units" >&2 && exit 1
exit "$code"
