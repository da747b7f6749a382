#!/usr/bin/env bash
# Installs everything that a machine needs, and skips steps that are already done. Usage: setup.sh run|test
#   run   installs what the service needs: Docker, debootstrap, .venv without the development tools
#   test  also installs the development tools and what only tests need
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

profile="${1:-}"
case "$profile" in run | test) ;; *) die "usage: setup.sh run|test" ;; esac
if ! bash "$ROOT/deploy/packages.sh" "$profile"; then
    [ "$profile" = run ] || exit 1
    say "continuing without Docker: the service starts, and submissions wait in the queue until Docker runs"
fi
if [ "$profile" = test ]; then
    bash "$ROOT/deploy/programs.sh" promtool=prometheus caddy=caddy apparmor_parser=apparmor || say "continuing without these programs: the tests that need them are skipped"
fi
bash "$ROOT/deploy/venv.sh" "$profile"
