#!/usr/bin/env bash
# Creates .venv and installs the project into it, with the versions in deploy/constraints.txt. Usage: venv.sh run|test
# A file in .venv stores the digest of everything that the content depends on. If it has not changed, the script does nothing.
# Reads TORCH, PIP_ARGS and PYTHON.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

VENV="$ROOT/.venv"

fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }

# Prints the interpreter for .venv: PYTHON (or python3) if its version is 3.11 to 3.13, otherwise another one that fits.
find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" python3.13 python3.12 python3.11 /usr/bin/python3; do
        if command -v "$candidate" >/dev/null && fits "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
}

ensure_python() {
    local python wanted="${PYTHON:-python3}"
    python="$(find_python)"
    if [ -z "$python" ]; then
        bash "$ROOT/deploy/packages.sh" python3=python3
        python="$(find_python)"
    fi
    [ -n "$python" ] || die "found no Python 3.11 to 3.13; install one and name it: make PYTHON=/path/to/python3.12 ..."
    [ "$python" = "$(command -v "$wanted")" ] || say "python: $wanted is not Python 3.11 to 3.13; using $python instead"
    "$python" -c 'import ensurepip' 2>/dev/null || install_ensurepip "$python"
    printf '%s\n' "$python"
}

install_ensurepip() {
    local version
    version="$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
    bash "$ROOT/deploy/packages.sh" "python$version-venv"
    "$1" -c 'import ensurepip' || die "$1 cannot make virtual environments; install python$version-venv"
}

usable() { "$VENV/bin/python" -m pip --version >/dev/null 2>&1 && fits "$VENV/bin/python"; }

# Prints what .venv depends on. That includes ROOT, because console scripts contain absolute paths, which break if it changes.
content() {
    cat "$ROOT/pyproject.toml" "$ROOT/deploy/constraints.txt" | sha256sum
    printf '%s\n' "$1" "$TORCH" "${PIP_ARGS:-}" "$ROOT"
    "$VENV/bin/python" --version
}

current() { [ -f "$VENV/.gradus-$1" ] && [ "$(cat "$VENV/.gradus-$1")" = "$(content "$1" | digest)" ]; }

install_project() {
    local extras="$1" log="$VAR/venv.log" pip_args=()
    read -ra pip_args <<<"${PIP_ARGS:-}"
    # pip unpacks downloads in TMPDIR; /tmp may be too small for torch.
    scratch="$(mktemp -d "$VAR/venv.XXXXXX")"
    trap 'rm -rf "$scratch"' EXIT
    export TMPDIR="$scratch"
    # Install torch first and separately, so that no other package pulls in another build of it.
    {
        "$VENV/bin/python" -m pip install "${pip_args[@]}" "$TORCH" &&
            "$VENV/bin/python" -m pip install "${pip_args[@]}" -c "$ROOT/deploy/constraints.txt" \
                -e "${ROOT}[$extras]" "$TORCH"
    } >"$log" 2>&1 </dev/null || {
        tail -n 20 "$log" >&2
        die "pip could not install the project; the whole output is in var/venv.log"
    }
}

profile="${1:-}"
case "$profile" in
    run) extras=api,grader ;;
    test) extras=api,grader,dev ;;
    *) die "usage: venv.sh run|test" ;;
esac
[ -f "$ROOT/pyproject.toml" ] || die "pyproject.toml is missing; this checkout is incomplete"
alone venv
if usable && { current "$profile" || current test; }; then
    say "python: .venv is current ($("$VENV/bin/python" --version))"
    exit 0
fi
if ! usable; then
    python="$(ensure_python)"
    say "python: making .venv with $python"
    "$python" -m venv --clear "$VENV"
fi
rm -f "$VENV"/.gradus-*
say "python: installing $TORCH and the project with extras $extras (the first time, this takes minutes)"
install_project "$extras"
content "$profile" | digest >"$VENV/.gradus-$profile"
