#!/usr/bin/env bash
# Waits until a process of the service is ready for requests. Usage: ready.sh PORT [SECONDS]      (default: 120)
# Exits with 0 when it is ready. Otherwise prints on standard error what is missing.
set -euo pipefail
[ $# -ge 1 ] || { printf 'usage: ready.sh PORT [SECONDS]\n' >&2; exit 2; }
exec "$(dirname "${BASH_SOURCE[0]}")/../.venv/bin/python" - "$@" <<'PYTHON'
import sys, time, urllib.error, urllib.request

port, seconds = sys.argv[1], float((sys.argv[2:] or ["120"])[0])
ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
until, said = time.monotonic() + seconds, ""
while True:
    try:
        ask(f"http://127.0.0.1:{port}/readyz", timeout=5).close()
        sys.exit(0)
    except urllib.error.HTTPError as error:
        said = error.read().decode()
    except OSError as error:
        said = str(error)
    if time.monotonic() > until:
        sys.exit(f"not ready after {seconds:g} s: {said}")
    time.sleep(0.5)
PYTHON
