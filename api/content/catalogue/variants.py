"""Reads the variants of a challenge, and stores each as a version with a digest of its own."""

from dataclasses import dataclass
from pathlib import Path

from grader.content.package import Package
from grader.content.package_cache import PackageCache
from grader.content.variants.declared import declaration
from grader.content.variants.expansion import load_variant
from grader.content.variants.lock import proven_variants
from grader.contract.errors import PackageError


@dataclass(frozen=True)
class Variant:
    """A variant of a challenge. `summary` says what distinguishes it from the others; candidates never read it."""

    name: str
    summary: str
    digest: str


def stored_variants(folder: Path, package: Package, kept: PackageCache) -> tuple[Variant, ...]:
    """Return the proven variants of the challenge in `folder`, after storing those that are not stored yet. `package` is the
    plain challenge.

    Raises `PackageError` if the variants cannot be read, or are not proven as they are now.
    """
    found = []
    for combination, proof in proven_variants(folder, package):
        if not kept.holds(proof.digest):
            variant = load_variant(folder, combination, proof.computed)
            if variant.digest != proof.digest:
                again = f"run `gradus challenge check {package.slug}`"
                raise PackageError(
                    f"{declaration(folder)}: {combination.name} is not the variant that was proven: {again}"
                )
            kept.keep(variant, variant=combination.summary)
        found.append(Variant(combination.name, combination.summary, proof.digest))
    return tuple(found)
