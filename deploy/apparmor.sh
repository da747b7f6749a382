#!/usr/bin/env bash
# Loads the AppArmor profile of cells (deploy/apparmor/gradus-cell) into the kernel. Does nothing on machines without AppArmor.
# deploy/docker-engine.sh and the service of a node (deploy/systemd) call it; profiles are gone after a restart of the machine.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PROFILE="$ROOT/deploy/apparmor/gradus-cell"
PATH="$PATH:/usr/sbin:/sbin"

[ "$(cat /sys/module/apparmor/parameters/enabled 2>/dev/null)" = Y ] || exit 0
command -v apparmor_parser >/dev/null || bash "$ROOT/deploy/packages.sh" apparmor_parser=apparmor
say "apparmor: loading the profile gradus-cell"
# Parsers before 4.0 do not know the rule for user namespaces, and their kernels do not need it.
as_root apparmor_parser --replace "$PROFILE" 2>/dev/null \
    || sed '/^  userns,$/d' "$PROFILE" | as_root apparmor_parser --replace \
    || die "the profile could not be loaded: each judging starts a new container, see: gradus doctor"
