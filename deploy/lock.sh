#!/usr/bin/env bash
# Upgrades the packages in .venv to the newest versions that pyproject.toml allows, and writes these to deploy/constraints.txt.
# Afterwards run `make test` and commit the file: every other machine installs exactly these versions.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

bash "$ROOT/deploy/venv.sh" test
read -ra pip_args <<<"${PIP_ARGS:-}"
say "lock: upgrading .venv to the newest versions"
"$ROOT/.venv/bin/python" -m pip install -q "${pip_args[@]}" --upgrade --upgrade-strategy eager -e "${ROOT}[dev]" "$TORCH"
{
    printf '# Written by deploy/lock.sh. torch is not here: TORCH names it, and its build depends on the machine.\n'
    "$ROOT/.venv/bin/python" -m pip freeze --exclude-editable | grep -Pv '^(torch|triton|nvidia-(?!ml-py)[a-z0-9-]+|cuda-[a-z0-9-]+)=='
} >"$VAR/constraints.txt"
mv "$VAR/constraints.txt" "$ROOT/deploy/constraints.txt"
say "lock: deploy/constraints.txt now lists $(grep -c == "$ROOT/deploy/constraints.txt") versions"
