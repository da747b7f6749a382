#!/usr/bin/env bash
# Collects the wheels of the grader image and prints the folder that holds them.
# Usage: wheels.sh PYTHON_VERSION MACHINE     as the base image tells them, say: 3.11 x86_64
# Reads TORCH and PIP_ARGS. The folder is named by the digest of all of these and appears whole or not at all.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# = 2 ] || die "usage: wheels.sh PYTHON_VERSION MACHINE"
version="$1" machine="$2"
python="$ROOT/.venv/bin/python"
requirements="$ROOT/deploy/grader/requirements.txt"
log="$VAR/wheels.log"
read -ra pip_args <<<"${PIP_ARGS:-}"

# Tells pip to collect for another Python than its own, when the base image has another.
target() {
    local own platform
    own="$("$python" -c 'import platform, sys; print("%d.%d" % sys.version_info[:2], platform.machine())')"
    [ "$own" != "$version $machine" ] || return 0
    printf '%s\n' --implementation cp --python-version "$version" --abi "cp${version/./}" --abi abi3 --abi none
    for platform in manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014 linux; do
        printf '%s\n' --platform "${platform}_$machine"
    done
}

key="$({ cat "$requirements"; printf '%s\n' "$TORCH" "${PIP_ARGS:-}" "$version" "$machine"; } | digest)"
folder="$VAR/wheels/$key"
if [ -d "$folder" ]; then
    say "wheels: var/wheels/$key is there"
    printf '%s\n' "$folder"
    exit 0
fi
"$python" -m pip --version >/dev/null 2>&1 || die "no pip in .venv; run: make setup"
say "wheels: collecting $TORCH and its needs for Python $version on $machine"
mkdir -p "$VAR/wheels"
partial="$(mktemp -d "$VAR/wheels/.partial.XXXXXX")"
trap 'rm -rf "$partial"' EXIT
mapfile -t flags < <(target)
# TMPDIR: pip unpacks what it fetches, and /tmp may be too small for torch.
mkdir "$partial/tmp" "$partial/wheels"
TMPDIR="$partial/tmp" "$python" -m pip download "${pip_args[@]}" --only-binary=:all: "${flags[@]}" \
    --dest "$partial/wheels" pip -r "$requirements" "$TORCH" >"$log" 2>&1 </dev/null || {
    tail -n 15 "$log" >&2
    die "pip could not collect the wheels; the whole output is in var/wheels.log. Other sources: make PIP_ARGS='...'"
}
chmod -R u=rwX,go=rX "$partial/wheels"
mv -T "$partial/wheels" "$folder"
printf '%s\n' "$folder"
