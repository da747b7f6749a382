#!/usr/bin/env bash
# Runs a gradus command as the service: under its account, with the settings of /etc/gradus/api.env. Run it as root.
# Usage: as-service.sh COMMAND...      (for example: as-service.sh db backup /var/lib/gradus/backups/gradus-monday)
set -euo pipefail
[ $# -ge 1 ] || { printf 'usage: as-service.sh COMMAND...\n' >&2; exit 2; }
export GRADUS_DATA_DIR=/var/lib/gradus GRADUS_VERSIONS_DIR=/var/lib/gradus/versions
set -a
# shellcheck source=/dev/null
source /etc/gradus/api.env
cd "$(dirname "${BASH_SOURCE[0]}")/.."
umask 077
exec runuser -u gradus -- .venv/bin/gradus "$@"
