#!/usr/bin/env bash
# Runs nats-server with JetStream, which connects the service with nodes on other machines.
# Usage: nats.sh FOLDER [ADDRESS [PORT]]      (default: 127.0.0.1 and 4222; runs until nats-server ends)
# The service writes FOLDER/users.conf (GRADUS_NATS_USERS), which lists who may connect and use which subjects. When that file
# changes, this script makes the server reload it within a second. If FOLDER/tls.crt and FOLDER/tls.key exist, TLS is on.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -ge 1 ] || die "usage: nats.sh FOLDER [ADDRESS [PORT]]"
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
address="${2:-127.0.0.1}"
port="${3:-4222}"
users="$folder/users.conf"
command -v nats-server >/dev/null || die "nats-server is not installed; run: bash deploy/packages.sh nats-server=nats-server"

umask 077
# Until the service writes this file, use one that lets no one connect.
[ -f "$users" ] || printf 'authorization { users = [ { user: nobody, password: "%s" } ] }\n' \
    "$(head -c 24 /dev/urandom | base64)" >"$users"
{
    printf 'listen: "%s:%s"\nserver_name: gradus\nmax_payload: 8388608\n' "$address" "$port"
    printf 'jetstream { store_dir: "%s/store", max_mem: 64MB, max_file: 4GB }\n' "$folder"
    if [ -f "$folder/tls.crt" ]; then
        printf 'tls { cert_file: "%s/tls.crt", key_file: "%s/tls.key", timeout: 10 }\n' "$folder" "$folder"
    fi
    printf 'include "users.conf"\n'
} >"$folder/nats.conf"

stamp() { stat -c '%Y %s %i' "$users" 2>/dev/null || true; }
read_at="$(stamp)"
nats-server -c "$folder/nats.conf" &
server=$!
trap 'kill -TERM "$server" 2>/dev/null || true' TERM INT EXIT
while kill -0 "$server" 2>/dev/null; do
    sleep 0.5
    now="$(stamp)"
    if [ "$now" != "$read_at" ]; then
        read_at="$now"
        say "users.conf has changed: nats-server reloads it"
        kill -HUP "$server" 2>/dev/null || true
    fi
done
wait "$server"
