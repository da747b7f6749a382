#!/usr/bin/env bash
# Are there known holes in what we install? Asks the advisory services about deploy/constraints.txt (and torch), and
# about every package-lock.json below frontend/.
# Ends with 0: none known; 1: some are known; 2: the audit could not be started; 3: not everything could be asked about.
# pip-audit has a virtual environment of its own under var/: twenty more packages that no other target needs, and what is
# audited must not choose the versions of what audits.
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
    # The build of torch is not what an advisory names.
    { cat "$ROOT/deploy/constraints.txt" && printf '%s\n' "${TORCH%%+*}"; } >"$wanted"
    say "audit: asking about $(grep -c == "$wanted") Python packages"
    # Its exit code is 1 both for a hole and for a service that does not answer; only its report tells them apart.
    timeout 300 "$VENV/bin/pip-audit" -r "$wanted" --no-deps --disable-pip --progress-spinner off --timeout 15 -f json \
        >"$VAR/audit-python.json" 2>>"$VAR/audit.log"
    "$VENV/bin/python" "$READER" python <"$VAR/audit-python.json"
}

audit_node() {
    command -v npm >/dev/null || {
        say "audit: npm is not installed, so $1 was not asked about"
        return 3
    }
    say "audit: asking about $1"
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
    *" 1 "*) say "audit: known holes, see above; raise the versions (make lock) and run the tests" && exit 1 ;;
    *" 3 "*) say "audit: none known in what could be asked about, but that was not everything; see above" && exit 3 ;;
    *) say "audit: no hole is known" ;;
esac
