#!/usr/bin/env bash
# Builds the image of a node for Kubernetes, and prints its tag as the last line on standard output. Usage: node-image.sh
# It is based on the service's image, which must exist (deploy/api-image.sh). Reads PIP_ARGS.
# A node on your own machine needs no image: see deploy/systemd/gradus-node.service.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

LOG="$VAR/node-image.log"
CONTEXT="$VAR/build/node"
read -ra pip_args <<<"${PIP_ARGS:-}"

logged() {
    "$@" >"$LOG" 2>&1 </dev/null || {
        tail -n 20 "$LOG" >&2
        die "$1 failed; the whole output is in var/node-image.log"
    }
}

need_engine
alone node-image
api="$(docker image inspect --format '{{index .RepoTags 0}}' gradus-api:latest 2>/dev/null)" \
    || die "there is no image of the service; run: bash deploy/api-image.sh"
say "node image: collecting the dependencies that $api lacks"
rm -rf "$CONTEXT"
mkdir -p "$CONTEXT/wheels"
printf 'docker\nnvidia-ml-py\n' >"$CONTEXT/requirements.txt"
logged "$ROOT/.venv/bin/python" -m pip download "${pip_args[@]}" --only-binary=:all: --dest "$CONTEXT/wheels" pip \
    -c "$ROOT/deploy/constraints.txt" -r "$CONTEXT/requirements.txt"
tag="gradus-node:${api##*:}"
say "node image: building $tag"
export DOCKER_BUILDKIT=0
logged docker build --network none --force-rm --build-arg "API=gradus-api:latest" --iidfile "$VAR/node-image.id" \
    --file "$ROOT/deploy/Dockerfile.node" "$CONTEXT"
docker run --rm --network none --read-only "$(cat "$VAR/node-image.id")" \
    python3 -c 'import docker, pynvml, grader.node.joining' >"$LOG" 2>&1 || {
    tail -n 20 "$LOG" >&2
    die "the new image failed its check, see above"
}
docker tag "$(cat "$VAR/node-image.id")" "$tag"
docker tag "$tag" gradus-node:latest
docker image prune --force --filter label=gradus.stage=node-install >/dev/null
rm -rf "$CONTEXT"
printf '%s\n' "$tag"
