#!/usr/bin/env bash
# Prints the image that the grader image starts from, made from this system's own packages when none is named.
# Usage: base-image.sh [IMAGE]     IMAGE (say python:3.12-slim) is used as it is; else gradus-base:<suite> is made
# SUITE and MIRROR override what this system's package configuration says. The tree is built under var/, written to
# a tar, imported without a name, tried out, and only then named: a half-made image has no name.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PATH="$PATH:/usr/sbin:/sbin"
WORK="$VAR/base-image"
TREE="$WORK/tree"
LABEL="gradus.stage=base"

# shellcheck source=/dev/null
default_suite() { (. /etc/os-release && printf '%s\n' "${VERSION_CODENAME:-}"); }

# The archive that this system's own packages of the suite come from.
# shellcheck disable=SC2016
configured_mirror() {
    apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk -v suite="$1" '$1 == suite && $2 == "main" && $3 ~ /^https?:/ { print $3; exit }'
}

# --force-check-gpg: without it debootstrap goes on when it has no key to check with.
# unshare, where it is allowed: the mounts it makes vanish with it, also when it is killed.
fetch_tree() {
    local suite="$1" mirror="$2" apart=()
    if as_root unshare --mount true 2>/dev/null; then apart=(unshare --mount); fi
    as_root "${apart[@]}" debootstrap --variant=minbase --force-check-gpg --include=python3 \
        "$suite" "$TREE" ${mirror:+"$mirror"} >"$VAR/base-image.log" 2>&1 </dev/null || {
        tail -n 15 "$VAR/base-image.log" >&2
        die "debootstrap $suite failed; the whole output is in var/base-image.log (and $TREE/debootstrap/debootstrap.log)"
    }
}

# What a cell has no use for, and what tells of the host (name, resolver, mirrors).
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
        || die "the base image has no whole Python of 3.11 or newer; choose a newer SUITE or name a BASE_IMAGE"
}

wipe() { as_root rm -rf --one-file-system "$WORK"; }

if [ -n "${1:-}" ]; then
    say "base image: $1, as named"
    printf '%s\n' "$1"
    exit 0
fi
suite="${SUITE:-$(default_suite)}"
[ -n "$suite" ] || die "this system names no suite; name a BASE_IMAGE, or a SUITE and a MIRROR"
tag="gradus-base:$suite"
need_engine
alone base-image
if image_exists "$tag"; then
    say "base image: $tag is there"
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
id="$(import_tree)" || die "the engine did not take the base image, see above"
try_out "$id"
docker tag "$id" "$tag"
docker image prune --force --filter "label=$LABEL" >/dev/null
say "base image: $tag, $(docker image inspect --format '{{.Size}}' "$tag" | numfmt --to=si)B"
printf '%s\n' "$tag"
