#!/usr/bin/env bash
# Builds the image of the service, and prints its tag as the last line on standard output. Usage: api-image.sh
# Reads BASE_IMAGE and PIP_ARGS. The build context is created under var/ and only contains what goes into the image: dependencies
# in the versions of deploy/constraints.txt, the code that git tracks, the catalogue, and the web client, which must be built
# first (make web).
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

LOG="$VAR/api-image.log"
CONTEXT="$VAR/build/api"
read -ra pip_args <<<"${PIP_ARGS:-}"

logged() {
    "$@" >"$LOG" 2>&1 </dev/null || {
        tail -n 20 "$LOG" >&2
        die "$1 failed; the whole output is in var/api-image.log"
    }
}

# The dependencies that pyproject.toml lists for the service, in the pinned versions.
requirements() {
    "$ROOT/.venv/bin/python" - "$ROOT/pyproject.toml" <<'PYTHON'
import sys, tomllib
project = tomllib.load(open(sys.argv[1], "rb"))["project"]
extras = project["optional-dependencies"]
print(*project["dependencies"], *extras["api"], *extras["otel"], sep="\n")
PYTHON
}

make_context() {
    rm -rf "$CONTEXT"
    mkdir -p "$CONTEXT/gradus/frontend/web" "$CONTEXT/wheels"
    requirements >"$CONTEXT/requirements.txt"
    git -C "$ROOT" archive HEAD api grader challenges frontend/cli | tar -x -C "$CONTEXT/gradus"
    cp -r "$ROOT/frontend/web/dist" "$CONTEXT/gradus/frontend/web/dist"
    # `gradus` finds its commands through entry_points.txt. Other files of the metadata describe this machine, so they are left
    # out.
    local told
    for told in "$ROOT"/.venv/lib/python3*/site-packages/gradus-*.dist-info/; do
        mkdir -p "$CONTEXT/gradus/$(basename "$told")"
        cp "$told"/{METADATA,entry_points.txt} "$CONTEXT/gradus/$(basename "$told")"
    done
    logged "$ROOT/.venv/bin/python" -m pip download "${pip_args[@]}" --only-binary=:all: --dest "$CONTEXT/wheels" pip \
        -c "$ROOT/deploy/constraints.txt" -r "$CONTEXT/requirements.txt"
    chmod -R u=rwX,go=rX "$CONTEXT"
}

# Checks the image: it must contain certificate authorities, and be able to create a database under the account it will run as.
try_out() {
    docker run --rm --network none --read-only "$1" \
        python3 -c 'import ssl, sys; sys.exit(not ssl.create_default_context().get_ca_certs())' \
        || die "the new image has no certificate authorities, so it could not verify other servers"
    docker run --rm --network none --read-only --tmpfs /var/lib/gradus:uid=10001,gid=10001 --cap-drop ALL "$1" \
        gradus db upgrade >"$LOG" 2>&1 || {
        tail -n 20 "$LOG" >&2
        die "the new image failed its check, see above"
    }
}

need_engine
alone api-image
[ -f "$ROOT/frontend/web/dist/index.html" ] || die "the web client is not built: bash deploy/web.sh build"
base="$(bash "$ROOT/deploy/base-image.sh" "${BASE_IMAGE:-}")"
say "api image: collecting its dependencies"
make_context
tag="gradus-api:$(git -C "$ROOT" rev-parse --short=12 HEAD)"
say "api image: building $tag"
# Use the classic builder, because BuildKit needs a plugin.
export DOCKER_BUILDKIT=0
logged docker build --network none --force-rm --build-arg "BASE=$base" --iidfile "$VAR/api-image.id" \
    --file "$ROOT/deploy/Dockerfile.api" "$CONTEXT"
try_out "$(cat "$VAR/api-image.id")"
docker tag "$(cat "$VAR/api-image.id")" "$tag"
docker tag "$tag" gradus-api:latest
docker image prune --force --filter label=gradus.stage=api-install >/dev/null
rm -rf "$CONTEXT"
say "api image: $tag, $(docker image inspect --format '{{.Size}}' "$tag" | numfmt --to=si)B"
printf '%s\n' "$tag"
