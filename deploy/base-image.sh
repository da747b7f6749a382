#!/usr/bin/env bash
# Prints the name of the base image for the grader image. Unless IMAGE is given, builds one from this system's package archive.
# Usage: base-image.sh [IMAGE]     IMAGE (for example python:3.12-slim) is used as it is; otherwise builds gradus-base:<suite>
# SUITE and MIRROR override this system's package configuration. The tree is built under var/, written to a tar file, imported
# without a tag and checked. It is tagged last, so that an incomplete image never has a tag.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PATH="$PATH:/usr/sbin:/sbin"
WORK="$VAR/base-image"
TREE="$WORK/tree"
LABEL="gradus.stage=base"

# shellcheck source=/dev/null
default_suite() { (. /etc/os-release && printf '%s\n' "${VERSION_CODENAME:-}"); }

# Prints the URL of the package archive that this system uses for the suite.
# shellcheck disable=SC2016
configured_mirror() {
    apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk -v suite="$1" '$1 == suite && $2 == "main" && $3 ~ /^https?:/ { print $3; exit }'
}

# --force-check-gpg: otherwise debootstrap continues without checking signatures if it has no key.
# unshare (if allowed): mounts of debootstrap disappear when it ends, even if it is killed.
fetch_tree() {
    local suite="$1" mirror="$2" apart=()
    if as_root unshare --mount true 2>/dev/null; then apart=(unshare --mount); fi
    as_root "${apart[@]}" debootstrap --variant=minbase --force-check-gpg --include=python3 \
        "$suite" "$TREE" ${mirror:+"$mirror"} >"$VAR/base-image.log" 2>&1 </dev/null || {
        tail -n 15 "$VAR/base-image.log" >&2
        die "debootstrap $suite failed; the whole output is in var/base-image.log (and $TREE/debootstrap/debootstrap.log)"
    }
}

# Removes files that a cell does not need, and files that describe this machine (name, resolver, mirrors).
slim_tree() {
    local paths=(usr/share/{doc,man,info,locale,lintian,bug,common-licenses,pixmaps} var/lib/apt/lists var/cache/apt
        var/cache/debconf var/log etc/apt/sources.list etc/apt/sources.list.d etc/resolv.conf etc/hostname
        etc/machine-id debootstrap tmp)
    as_root rm -rf --one-file-system "${paths[@]/#/$TREE/}"
    as_root install -d -m 1777 "$TREE/tmp"
    as_root find "$TREE" -xdev -perm /6000 ! -type l -exec chmod a-s {} +
}

import_tree() {
    as_root tar --numeric-owner --one-file-system -C "$TREE" --exclude='./dev/*' --exclude='./proc/*' \
        --exclude='./sys/*' -cf - . >"$WORK/tree.tar"
    docker import --change "LABEL $LABEL" --change 'CMD ["python3"]' "$WORK/tree.tar"
}

try_out() {
    docker run --rm --network none --read-only "$1" \
        python3 -c 'import sys, ssl, ctypes, lzma, sqlite3, multiprocessing; sys.exit(sys.version_info < (3, 11))' \
        || die "the base image has no complete Python 3.11 or newer; choose a newer SUITE or name a BASE_IMAGE"
}

wipe() { as_root rm -rf --one-file-system "$WORK"; }

if [ -n "${1:-}" ]; then
    say "base image: $1, as named"
    printf '%s\n' "$1"
    exit 0
fi
suite="${SUITE:-$(default_suite)}"
[ -n "$suite" ] || die "this system's package configuration names no suite; set BASE_IMAGE, or SUITE and MIRROR"
tag="gradus-base:$suite"
need_engine
alone base-image
if image_exists "$tag"; then
    say "base image: $tag exists already"
    printf '%s\n' "$tag"
    exit 0
fi
command -v debootstrap >/dev/null || die "debootstrap is not installed; run: make setup"
mirror="${MIRROR:-$(configured_mirror "$suite")}"
say "base image: making $tag from ${mirror:-the default archive} (a minute)"
wipe
mkdir -p "$WORK"
trap wipe EXIT
fetch_tree "$suite" "$mirror"
slim_tree
id="$(import_tree)" || die "the Docker engine could not import the base image, see above"
try_out "$id"
docker tag "$id" "$tag"
docker image prune --force --filter "label=$LABEL" >/dev/null
say "base image: $tag, $(docker image inspect --format '{{.Size}}' "$tag" | numfmt --to=si)B"
printf '%s\n' "$tag"
