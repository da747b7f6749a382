#!/usr/bin/env bash
# All set-up of a machine, each step skipped when it is done. Usage: setup.sh run|test
#   run   what serving needs: Docker, debootstrap, .venv without the development tools
#   test  run, and what only tests need
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

profile="${1:-}"
case "$profile" in run | test) ;; *) die "usage: setup.sh run|test" ;; esac
if ! bash "$ROOT/deploy/packages.sh" "$profile"; then
    [ "$profile" = run ] || exit 1
    say "going on without: the service starts, judging waits until Docker is there"
fi
if [ "$profile" = test ]; then
    bash "$ROOT/deploy/programs.sh" promtool=prometheus caddy=caddy || say "going on without: what they check is not checked"
fi
bash "$ROOT/deploy/venv.sh" "$profile"
