"""Reads and writes `challenges/variants/<slug>.lock`, the proof of a challenge's variants. Only the authoring gate writes it.

The service offers variants only with a lock that belongs to exactly this version of the challenge's folder and of the file that
declares the variants.
"""

from pathlib import Path

import msgspec

from grader.content.package import Package
from grader.content.variants.declared import Combination, combinations, declaration, declaration_digest
from grader.content.variants.expansion import Computed
from grader.contract.errors import PackageError


class ProvenVariant(msgspec.Struct, frozen=True):
    """The proof of one combination. `digest` identifies its package, and `computed` is what the gate has added to it.

    `accepted` and `wrong` are the numbers of judged answers. `rejects` names, for every other combination, the tests that
    rejected its accepted answers.
    """

    name: str
    digest: str
    computed: Computed
    accepted: int
    wrong: int
    rejects: dict[str, tuple[str, ...]]


class VariantsLock(msgspec.Struct, frozen=True):
    """The content of the lock file. `package` is the digest of the plain challenge, `declaration` the digest of the file that
    declares the variants, and `key` covers everything on which the proof depends.
    """

    package: str
    declaration: str
    key: str
    variants: tuple[ProvenVariant, ...]


def lock_path(folder: Path) -> Path:
    """Return the path of the lock file of the challenge in `folder`."""
    return declaration(folder).with_suffix(".lock")


def load_lock(folder: Path) -> VariantsLock | None:
    """Return the content of a challenge's lock file, or None if there is none. Raises `PackageError` if it cannot be read."""
    path = lock_path(folder)
    try:
        return msgspec.json.decode(path.read_bytes(), type=VariantsLock)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        raise PackageError(f"{path}: {error}; {_again(folder)}") from None


def save_lock(folder: Path, lock: VariantsLock) -> None:
    """Write a challenge's lock file, with a line for each variant. Replaces an existing file atomically."""
    path = lock_path(folder)
    new = path.with_suffix(".lock.new")
    head = msgspec.json.encode(msgspec.structs.replace(lock, variants=())).removesuffix(b"]}")
    new.write_bytes(head + b"\n" + b",\n".join(map(msgspec.json.encode, lock.variants)) + b"\n]}\n")
    new.rename(path)


def proven_variants(folder: Path, package: Package) -> tuple[tuple[Combination, ProvenVariant], ...]:
    """Return the offered combinations of a challenge with their proofs; none if the challenge declares no variants. `package`
    is the plain challenge.

    Raises `PackageError` if the proof is missing, or belongs to another version of the challenge or its variants.
    """
    offered = combinations(folder)
    if not offered:
        return ()
    lock = load_lock(folder)
    if lock is None or (lock.package, lock.declaration) != (package.digest, declaration_digest(folder)):
        raise PackageError(f"{declaration(folder)}: the variants are not proven as they are now: {_again(folder)}")
    proofs = {proof.name: proof for proof in lock.variants}
    return tuple((one, proofs[one.name]) for one in offered if one.name in proofs)


def _again(folder: Path) -> str:
    return f"run `gradus challenge check {folder.name}`"
