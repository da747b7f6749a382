#!/usr/bin/env bash
# Checks for known vulnerabilities in what we install: asks the advisory services about deploy/constraints.txt (and torch), and
# about every package-lock.json below frontend/.
# Exit codes: 0 none known; 1 some are known; 2 the audit could not start; 3 some packages could not be checked.
# pip-audit is installed into its own virtual environment under var/. It needs twenty packages that nothing else here needs, and
# their versions must not depend on the packages that it checks.
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PIP_AUDIT="pip-audit==2.10.1"
VENV="$VAR/audit-venv"
READER="$ROOT/deploy/audit_report.py"
alone audit

cannot_start() {
    say "audit: $1"
    exit 2
}

install_tool() {
    [ "$(cat "$VENV/.gradus" 2>/dev/null)" = "$PIP_AUDIT" ] && return
    say "audit: installing $PIP_AUDIT into var/audit-venv"
    local pip_args=()
    read -ra pip_args <<<"${PIP_ARGS:-}"
    "${PYTHON:-python3}" -m venv --clear "$VENV" &&
        "$VENV/bin/python" -m pip install -q "${pip_args[@]}" "$PIP_AUDIT" >"$VAR/audit.log" 2>&1 || return 1
    printf '%s' "$PIP_AUDIT" >"$VENV/.gradus"
}


audit_python() {
    local wanted="$VAR/audit-requirements.txt"
    # Advisories name a version of torch, not a build.
    { cat "$ROOT/deploy/constraints.txt" && printf '%s\n' "${TORCH%%+*}"; } >"$wanted"
    say "audit: checking $(grep -c == "$wanted") Python packages"
    # pip-audit exits with 1 both for a vulnerability and for a service that does not answer; only its report tells them apart.
    timeout 300 "$VENV/bin/pip-audit" -r "$wanted" --no-deps --disable-pip --progress-spinner off --timeout 15 -f json \
        >"$VAR/audit-python.json" 2>>"$VAR/audit.log"
    "$VENV/bin/python" "$READER" python <"$VAR/audit-python.json"
}

audit_node() {
    command -v npm >/dev/null || {
        say "audit: npm is not installed, so $1 was not checked"
        return 3
    }
    say "audit: checking $1"
    timeout 300 npm audit --json --prefix "$(dirname "$1")" >"$VAR/audit-node.json" 2>>"$VAR/audit.log"
    "$VENV/bin/python" "$READER" node <"$VAR/audit-node.json"
}

install_tool || cannot_start "$PIP_AUDIT could not be installed; see var/audit.log"
: >"$VAR/audit.log"
results=()
audit_python
results+=($?)
while IFS= read -r lock; do
    audit_node "$lock"
    results+=($?)
done < <(find "$ROOT/frontend" -name node_modules -prune -o -name package-lock.json -print)

case " ${results[*]} " in
    *" 1 "*) say "audit: known vulnerabilities, see above; raise the versions (make lock) and run the tests" && exit 1 ;;
    *" 3 "*) say "audit: no known vulnerability in what could be checked, but some packages could not be checked; see above" && exit 3 ;;
    *) say "audit: no known vulnerability" ;;
esac
