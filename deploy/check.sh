#!/usr/bin/env bash
# What CI runs once a machine is set up: lint, format, types, tests. Further arguments go to pytest.
# All four run even if one fails, so that one run shows everything; what failed is said once more at the end.
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$ROOT" || exit 1

failed=()
step() {
    local name="$1"
    shift
    say "$name"
    "$@" </dev/null || failed+=("$name")
}

step "ruff check" .venv/bin/ruff check
step "ruff format" .venv/bin/ruff format --check
step "mypy" .venv/bin/mypy
[ ${#failed[@]} = 0 ] || say "failed so far: ${failed[*]}; going on to the tests"
if [ $# != 0 ]; then
    step "pytest $*" .venv/bin/python -m pytest -n 2 -q -m "not engine" "$@"
else
    step "pytest" .venv/bin/python -m pytest -n 2 -q -m "not engine" --ignore tests/attacks
    step "attacks" .venv/bin/python -m tests.attacks
fi
# Alone and last: it kills the Docker engine under a judging, which nothing else could bear.
[ $# != 0 ] || step "pytest, with the engine killed" .venv/bin/python -m pytest -q -m engine tests/e2e
[ ${#failed[@]} = 0 ] && exit
say "failed: ${failed[*]}"
exit 1
