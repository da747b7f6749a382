#!/usr/bin/env bash
# Builds the image that cells and judges run from, and prints its tag as the last line on standard output.
# Usage: grader-image.sh [--tag]      --tag only prints the tag, without building the grader image
# Reads BASE_IMAGE, TORCH, PIP_ARGS. The tag is the digest of everything that goes into the image: an existing image is current.
# There are two images: gradus-runtime with torch (takes minutes, rarely changes), and gradus-grader with our code, which is based
# on it (takes seconds). Each is tagged only after verify.py has checked it from the inside. Build contexts are created under
# var/.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

HERE="$ROOT/deploy/grader"
LOG="$VAR/grader-image.log"
KEEP=4

# Copies the grader package. The digest and the build use this copy, because the files may be edited meanwhile.
take_sources() {
    mkdir "$1"
    (cd "$ROOT" && find grader -name __pycache__ -prune -o -type f ! -name '*.pyc' -print0 | xargs -0 cp --parents -t "$1")
    chmod -R u=rwX,go=rX "$1"
}

runtime_digest() {
    {
        cat "$HERE"/{runtime.Dockerfile,requirements.txt,trim.py,patch_torch.py,verify.py}
        printf '%s\n' "$TORCH" "${PIP_ARGS:-}"
        docker image inspect --format '{{.Id}}' "$1"
    } | digest
}

grader_digest() {
    {
        cat "$HERE/Dockerfile"
        printf '%s\n' "$1"
        (cd "$work/code" && find grader -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
    } | digest
}

need_base() {
    image_exists "$1" || docker pull --quiet "$1" >&2 || die "image $1 is neither here nor to be pulled; without BASE_IMAGE one is made"
}

# Prints the base image's Python version, machine type and folder of packages.
ask_base() {
    docker run --rm --network none --entrypoint python3 "$1" -c 'if True:
        import platform, sys, sysconfig
        assert sys.version_info >= (3, 11), "Python is older than 3.11"
        print("%d.%d" % sys.version_info[:2], platform.machine(), sysconfig.get_path("purelib"))'
}

# build CONTEXT DOCKERFILE ARGUMENT=VALUE...: builds an image and prints its id. Uses the classic builder, which needs no plugin.
build() {
    local context="$1" file="$2" argument flags=()
    shift 2
    for argument in "$@"; do flags+=(--build-arg "$argument"); done
    DOCKER_BUILDKIT=0 docker build --network none --force-rm --iidfile "$context/.id" "${flags[@]}" \
        --file "$file" "$context" >"$LOG" 2>&1 </dev/null || {
        tail -n 20 "$LOG" >&2
        die "the build of $(basename "$file") failed; the whole output is in var/grader-image.log"
    }
    cat "$context/.id"
}

look_over() {
    docker run --rm --interactive --network none --read-only --tmpfs /tmp --user 12345:12345 --cap-drop ALL \
        --env HOME=/tmp --env USER=cell --entrypoint python3 "$1" - "$2" <"$HERE/verify.py" >"$LOG" 2>&1 || {
        tail -n 20 "$LOG" >&2
        die "the new $2 image is not fit for use, see above and var/grader-image.log"
    }
}

build_runtime() {
    local base="$1" tag="$2" facts version machine site wheels id
    facts="$(ask_base "$base")" || die "$base has no Python of 3.11 or newer; choose another BASE_IMAGE"
    read -r version machine site <<<"$facts"
    wheels="$(bash "$ROOT/deploy/wheels.sh" "$version" "$machine")"
    say "grader image: installing $TORCH on $base (a minute or two)"
    mkdir "$work/runtime"
    cp -al "$wheels" "$work/runtime/wheels"
    cp "$HERE"/{runtime.Dockerfile,requirements.txt,trim.py,patch_torch.py} "$work/runtime"
    id="$(build "$work/runtime" "$work/runtime/runtime.Dockerfile" "BASE=$base" "TORCH=$TORCH" "SITE=$site")"
    look_over "$id" runtime
    docker tag "$id" "$tag"
}

build_grader() {
    local runtime="$1" tag="$2" id
    say "grader image: adding our code"
    cp "$HERE/Dockerfile" "$work/code"
    id="$(build "$work/code" "$work/code/Dockerfile" "RUNTIME=$runtime")"
    look_over "$id" grader
    docker tag "$id" "$tag"
}

# remove_old NAME TAG: removes all but the newest KEEP tags of an image. The engine refuses to remove one that a container uses.
remove_old() {
    docker images --format '{{.Repository}}:{{.Tag}}' "$1" | grep -v ':latest$' | tail -n "+$((KEEP + 1))" |
        grep -vxF "$2" | xargs -r docker rmi >/dev/null 2>&1 || true
}

# Removes untagged images, which builds leave behind that failed or were replaced.
remove_nameless() {
    local stage
    for stage in install runtime grader; do
        docker image prune --force --filter "label=gradus.stage=$stage" >/dev/null
    done
}

need_engine
[ -d "$ROOT/grader" ] || die "there is no grader/ in this checkout"
base="$(bash "$ROOT/deploy/base-image.sh" "${BASE_IMAGE:-}")"
need_base "$base"
runtime="gradus-runtime:$(runtime_digest "$base")"
mkdir -p "$VAR/build"
work="$(mktemp -d "$VAR/build/grader.XXXXXX")"
trap 'rm -rf "$work"' EXIT
take_sources "$work/code"
tag="gradus-grader:$(grader_digest "$runtime")"
if [ "${1:-}" = --tag ]; then
    printf '%s\n' "$tag"
    exit 0
fi
alone grader-image
if image_exists "$tag"; then
    say "grader image: $tag is there"
else
    trap 'rm -rf "$work"; remove_nameless' EXIT
    image_exists "$runtime" || build_runtime "$base" "$runtime"
    build_grader "$runtime" "$tag"
    remove_old gradus-grader "$tag"
    remove_old gradus-runtime "$runtime"
    find "$VAR/build" -mindepth 1 -maxdepth 1 -name 'grader.*' -mmin +120 -exec rm -rf {} +
    say "grader image: $tag, $(docker image inspect --format '{{.Size}}' "$tag" | numfmt --to=si)B"
fi
docker tag "$tag" gradus-grader:latest
printf '%s\n' "$tag"
