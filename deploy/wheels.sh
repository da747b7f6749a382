#!/usr/bin/env bash
# Downloads the wheels for the grader image and prints the folder with them.
# Usage: wheels.sh PYTHON_VERSION MACHINE     as in the base image, for example: 3.11 x86_64
# Reads TORCH and PIP_ARGS. The folder's name is the digest of all of these. It is only created once all wheels are complete.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# = 2 ] || die "usage: wheels.sh PYTHON_VERSION MACHINE"
version="$1" machine="$2"
python="$ROOT/.venv/bin/python"
requirements="$ROOT/deploy/grader/requirements.txt"
log="$VAR/wheels.log"
read -ra pip_args <<<"${PIP_ARGS:-}"

# Prints options that make pip download for the base image's Python, if that differs from pip's own.
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
    say "wheels: var/wheels/$key exists already"
    printf '%s\n' "$folder"
    exit 0
fi
"$python" -m pip --version >/dev/null 2>&1 || die ".venv has no pip; run: make setup"
say "wheels: collecting $TORCH and its dependencies for Python $version on $machine"
mkdir -p "$VAR/wheels"
partial="$(mktemp -d "$VAR/wheels/.partial.XXXXXX")"
trap 'rm -rf "$partial"' EXIT
mapfile -t flags < <(target)
# TMPDIR: pip unpacks downloads there; /tmp may be too small for torch.
mkdir "$partial/tmp" "$partial/wheels"
TMPDIR="$partial/tmp" "$python" -m pip download "${pip_args[@]}" --only-binary=:all: "${flags[@]}" \
    --dest "$partial/wheels" pip -r "$requirements" "$TORCH" >"$log" 2>&1 </dev/null || {
    tail -n 15 "$log" >&2
    die "pip could not collect the wheels; the whole output is in var/wheels.log. To use another index: make PIP_ARGS='...'"
}
chmod -R u=rwX,go=rX "$partial/wheels"
mv -T "$partial/wheels" "$folder"
printf '%s\n' "$folder"
