#!/usr/bin/env bash
# What CI runs once a machine is set up: lint, format, types, tests, of Python and of the web client. Further arguments go to pytest.
# All of them run even if one fails, so that one run shows everything; what failed is said once more at the end.
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$ROOT" || exit 1

# pytest keeps the list of what failed last in var/pytest: the second try is of those.
PYTEST=(.venv/bin/python -m pytest -q --durations=20 --durations-min=10)
AGAIN=(--last-failed --last-failed-no-failures none)
MOST_AGAIN=5
# Where SQL differs, or where two at the same moment do: these are tried again on a PostgreSQL of their own.
ON_POSTGRESQL=(
    tests/api/test_{submissions,judging,drafts,letters,quizzes,standings,assessments,invitations,taking,participations}.py
    tests/api/test_{at_once,settling,rejudges,own_rejudges,reviews,tracking,reports,desk,webhooks}.py
)
failed=()
shaky=()

step() {
    local name="$1"
    shift
    say "$name"
    "$@" </dev/null || failed+=("$name")
}

# Tests, as many at a time as is said. A few that fail are tried once more, alone: on a crowded machine two neighbours can starve
# one that waits for something. What passes only then is named at the end, so that it is not forgotten; what fails twice is broken.
tests() {
    local name="$1" at_a_time="$2"
    shift 2
    say "$name"
    "${PYTEST[@]}" -n "$at_a_time" "$@" </dev/null && return
    local again
    again="$("${PYTEST[@]}" "${AGAIN[@]}" --collect-only "$@" 2>/dev/null | grep '::')"
    if [ -z "$again" ] || [ "$(wc -l <<<"$again")" -gt "$MOST_AGAIN" ]; then
        failed+=("$name")
        return
    fi
    say "$name: once more, alone"
    if "${PYTEST[@]}" "${AGAIN[@]}" "$@" </dev/null; then
        shaky+=("$again")
    else
        failed+=("$name")
    fi
}

step "ruff check" .venv/bin/ruff check
step "ruff format" .venv/bin/ruff format --check
step "mypy" .venv/bin/mypy
step "web client: lint and types" bash deploy/web.sh test
[ ${#failed[@]} = 0 ] || say "failed so far: ${failed[*]}; going on to the tests"
if [ $# != 0 ]; then
    tests "pytest $*" 2 -m "not engine" "$@"
else
    tests "pytest" 2 -m "not engine" tests --ignore tests/attacks
    GRADUS_TEST_DATABASE=postgresql tests "pytest, on PostgreSQL" 2 "${ON_POSTGRESQL[@]}"
    step "attacks" .venv/bin/python -m tests.attacks
    # Alone and last: they kill the Docker engine under a judging, which nothing else could bear.
    # Connections to what was killed are left open by nobody's fault: that they are is no failure here.
    tests "pytest, with everything killed" 0 -p no:unraisableexception -m engine tests/e2e tests/soak
fi
[ ${#shaky[@]} = 0 ] || say "passed only when run alone: ${shaky[*]}"
[ ${#failed[@]} = 0 ] && exit
say "failed: ${failed[*]}"
exit 1
