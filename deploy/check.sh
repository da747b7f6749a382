#!/usr/bin/env bash
# `make test` runs this after setting up the machine: lint, format, types and tests of Python and of the web client, without the
# heavy suites (tests/heavy). Further arguments go to pytest. Every stage runs even if an earlier one failed, so that one run
# shows all failures. The failed stages and the time of each stage are printed at the end.
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$ROOT" || exit 1
# Tests start many programs, and each would compile the same modules again.
unset PYTHONDONTWRITEBYTECODE

# Files run in the order of their names. By default, xdist begins with those that have the most tests, so a file with one slow
# test comes last and everything waits for it.
# pytest stores the list of tests that failed in var/pytest; the second attempt runs only those.
PYTEST=(.venv/bin/python -m pytest -q --dist loadfile --no-loadscope-reorder --durations=20 --durations-min=10)
AGAIN=(--last-failed --last-failed-no-failures none)
MOST_AGAIN=5
# Many tests wait for a service, so one more worker than there are cores keeps all cores busy.
WORKERS=$(($(nproc) + 1))
# Folders of the heavy suites (tests/heavy/suites.toml), which are not run here. Their other tests are marked `heavy`.
HEAVY=(--ignore=tests/e2e --ignore=tests/attacks/service --ignore=tests/api/test_schema.py --ignore=tests/attacks/test_{compiler,lies,measuring,persistence,programs,timing}.py)
failed=()
shaky=()
times=()

# began NAME: starts a stage and its clock.
began() {
    say "$1"
    stage="$1" since=$SECONDS
}

# took: ends the stage and stores its time.
took() { times+=("$(printf '%5d s  %s' $((SECONDS - since)) "$stage")"); }

step() {
    began "$1"
    shift
    "$@" </dev/null || failed+=("$stage")
    took
}

# types_and_web: mypy uses one core, so it runs beside the checks of the web client. Its output comes last.
types_and_web() {
    local mypy failed=0
    .venv/bin/mypy >"$VAR/mypy.log" 2>&1 &
    mypy=$!
    bash deploy/web.sh test || failed=1
    wait "$mypy" || failed=1
    cat "$VAR/mypy.log"
    return $failed
}

# tests NAME ARGS...: runs tests in parallel. If only a few fail, they run once more, one at a time, because a test that
# waits for something may time out on a busy machine. Tests that only pass then are listed at the end. If one fails again, so
# does the stage.
tests() {
    local again
    began "$1"
    shift
    if ! "${PYTEST[@]}" -n "$WORKERS" "$@" </dev/null; then
        again="$("${PYTEST[@]}" "${AGAIN[@]}" --collect-only "$@" 2>/dev/null | grep '::')"
        if [ -z "$again" ] || [ "$(wc -l <<<"$again")" -gt "$MOST_AGAIN" ]; then
            failed+=("$stage")
        else
            say "$stage: running what failed once more, alone"
            if "${PYTEST[@]}" "${AGAIN[@]}" "$@" </dev/null; then shaky+=("$again"); else failed+=("$stage"); fi
        fi
    fi
    took
}

# Without a Docker engine, everything else is still tested. In CI, where nothing may be left out, the run fails.
CHOSEN="not engine"
if ! engine_answers; then
    say "no Docker engine answers (see above): skipping the tests that need one"
    CHOSEN="not engine and not docker"
    [ -z "${CI:-}" ] || failed+=("Docker engine")
fi
step "ruff check" .venv/bin/ruff check
step "ruff format" .venv/bin/ruff format --check
step "imports" .venv/bin/lint-imports --no-logo
step "mypy, and the web client's lint, types and tests" types_and_web
[ ${#failed[@]} = 0 ] || say "failed so far: ${failed[*]}; continuing with the tests"
if [ $# != 0 ]; then
    tests "pytest $*" -m "$CHOSEN" "$@"
else
    tests "pytest" -m "$CHOSEN and not heavy" tests "${HEAVY[@]}"
    .venv/bin/python -m tests.heavy >&2
fi
[ ${#shaky[@]} = 0 ] || say "these passed only when they ran alone: ${shaky[*]}"
say "time of each stage, $SECONDS s in total:"
printf '%s\n' "${times[@]}" >&2
[ ${#failed[@]} = 0 ] && exit
say "failed: ${failed[*]}"
exit 1
