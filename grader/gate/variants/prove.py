"""Proves the variants of a challenge, by judging their answers.

For each combination except the plain one, which the gate has proved: the statement is valid, the starter is not accepted, every
accepted answer is accepted on several seeds, and at least six wrong answers of wrong.toml that still apply are rejected. For each
pair of combinations, a named test of the one rejects every accepted answer to the other.

Saboteurs and mutants are not judged again: the tests are those of the plain challenge, except for the changes.
"""

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from grader.content.answer_changes import NAME as WRONG_ANSWERS
from grader.content.answer_changes import listed
from grader.content.answers import Answer
from grader.content.answers import expanded as wrong_answer
from grader.content.authoring.finding import Finding
from grader.content.authoring.statement import statement_findings
from grader.content.authoring.undisclosed import undisclosed_properties
from grader.content.code_only import code_only
from grader.content.examples import examples
from grader.content.package import Lock, Package, load
from grader.content.proof import torch_version
from grader.content.variants.declared import Combination, combinations, declaration, declaration_digest
from grader.content.variants.expansion import Computed, expanded, load_variant, read_expanded
from grader.content.variants.lock import ProvenVariant, VariantsLock, load_lock, save_lock
from grader.contract.errors import PackageError
from grader.contract.job import Verdict
from grader.gate.claims import only
from grader.gate.lock import collected
from grader.gate.pages.check import write_statement
from grader.gate.trials.cache import digest, kit_digest
from grader.gate.trials.run import (
    PROOF_SHARE,
    Note,
    Trial,
    TrialResult,
    judge_trials,
    proof_seeds,
    rejections,
    unjudged_findings,
)
from grader.judging.workbench import Workbench

# On how many fresh seeds each accepted answer of a variant is judged.
SEEDS = 2
LEAST_WRONG = 6
# The files on which a proof depends, besides those on which the proof of the plain challenge depends.
PROGRAM = ("content/variants/declared.py", "content/variants/expansion.py", "gate/variants/prove.py")


@dataclass(frozen=True)
class VariantsRecord:
    """The result for one challenge. `variants` is empty if there are findings."""

    slug: str
    findings: tuple[Finding, ...]
    variants: tuple[ProvenVariant, ...] = ()
    seconds: float = 0.0
    cached: bool = False


@dataclass(frozen=True)
class _Variant:
    combination: Combination
    package: Package
    outputs: tuple[str, ...]
    findings: tuple[Finding, ...]
    wrong: tuple[Answer, ...]

    @property
    def name(self) -> str:
        return self.combination.name

    @property
    def accepted(self) -> list[Answer]:
        return [answer for answer in self.package.answers if answer.verdict is Verdict.AC]


def variants_key(folder: Path) -> str:
    """Return a digest of everything on which the proof of a challenge's variants depends: the folder, the file that declares
    them, this program, the gate, the testing kit and torch.
    """
    grader = Path(__file__).resolve().parents[2]
    here = digest([grader / name for name in PROGRAM], read=lambda path: code_only(path.read_bytes()))
    parts = (torch_version(), kit_digest(), here, digest([folder]), declaration_digest(folder))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def is_proven(folder: Path) -> bool:
    """Return whether the lock of a challenge's variants belongs to exactly this state of the challenge, the gate and torch."""
    with suppress(PackageError):
        lock = load_lock(folder)
        return lock is not None and lock.key == variants_key(folder)
    return False


def prove(bench: Workbench, folder: Path, note: Note = lambda: None, *, again: bool = False) -> VariantsRecord:
    """Prove all variants of a challenge and write the lock. If there are findings, nothing is written. With `again`, judges the
    answers even if the lock is up to date.
    """
    started = time.monotonic()
    lock = load_lock(folder) if not again and is_proven(folder) else None
    if lock is not None:
        return VariantsRecord(folder.name, (), lock.variants, cached=True)
    key = variants_key(folder)
    try:
        with ExitStack() as stack:
            found = [_variant(bench, folder, combination, stack) for combination in combinations(folder)]
            findings, proofs = _judged(bench, folder, found, note)
    except PackageError as error:
        findings, proofs = [Finding(declaration(folder).name, str(error))], ()
    if not findings and variants_key(folder) == key:
        save_lock(folder, VariantsLock(load(folder).digest, declaration_digest(folder), key, proofs))
    return VariantsRecord(folder.name, tuple(findings), () if findings else proofs, time.monotonic() - started)


def _variant(bench: Workbench, folder: Path, combination: Combination, stack: ExitStack) -> _Variant:
    place = stack.enter_context(expanded(folder, combination))
    findings = write_statement(bench, place)
    package = read_expanded(folder, place, combination)
    package = msgspec.structs.replace(package, lock=Lock(collected(bench, package)))
    outputs = tuple(example.output for example in examples(package.statement))
    wrong = () if combination.is_plain else tuple(_applicable(folder, package))
    return _Variant(combination, package, outputs, tuple(findings), wrong)


def _applicable(folder: Path, package: Package) -> Iterator[Answer]:
    """Yield the wrong answers of wrong.toml whose changes apply to the accepted answers of a variant."""
    for table in listed(folder):
        with suppress(PackageError):
            yield wrong_answer(folder / WRONG_ANSWERS, table, package.answers)


def _judged(
    bench: Workbench, folder: Path, found: Sequence[_Variant], note: Note
) -> tuple[list[Finding], tuple[ProvenVariant, ...]]:
    findings: list[Finding] = []
    proofs = []
    for variant in found:
        own = [] if variant.combination.is_plain else [*_own_findings(bench, variant, note)]
        rejects, passed = _rejected_by(bench, variant, [each for each in found if each is not variant], note)
        findings += [Finding(f"{variant.name}: {each.where}", each.text) for each in (*own, *passed)]
        computed = Computed(variant.package.lock.tests, variant.outputs)
        proofs.append(
            ProvenVariant(
                name=variant.name,
                digest=load_variant(folder, variant.combination, computed).digest,
                computed=computed,
                accepted=len(variant.accepted),
                wrong=len(variant.wrong),
                rejects=rejects,
            )
        )
    return findings, tuple(proofs)


def _own_findings(bench: Workbench, variant: _Variant, note: Note) -> Iterator[Finding]:
    """Yield the findings about a variant by itself: its statement, its starter, and its right and wrong answers."""
    package = variant.package
    yield from statement_findings(package)
    yield from undisclosed_properties(package)
    yield from variant.findings
    if len(variant.wrong) < LEAST_WRONG:
        told = f"only {len(variant.wrong)} wrong answers apply to this variant, at least {LEAST_WRONG} must"
        yield Finding(WRONG_ANSWERS, f"{told}: change the accepted answers in fewer places")
    right = [Trial(a.name, a.source, seed, package) for a in variant.accepted for seed in proof_seeds(SEEDS)]
    ends = judge_trials(bench, right, patient=True, tolerance_share=PROOF_SHARE, note=note)
    yield from unjudged_findings(ends)
    yield from rejections(ends)
    # The test that catches a wrong answer in the plain challenge mostly catches it here, too, and runs fast by itself.
    [seed] = proof_seeds(1)
    wrong = [Trial(each.place, each.source, seed, only(package, each.caught_by)) for each in variant.wrong]
    ends = judge_trials(bench, wrong, to_the_end=False, note=note)
    missed = [replace(end.trial, package=package) for end in ends if end.accepted]
    again = [Trial("starter.py", package.starter, seed, package), *missed]
    ends += (whole := judge_trials(bench, again, to_the_end=False, note=note))
    yield from unjudged_findings(ends)
    yield from (Finding(end.trial.name, "is accepted by the tests of this variant") for end in whole if end.accepted)


def _rejected_by(
    bench: Workbench, variant: _Variant, others: Sequence[_Variant], note: Note
) -> tuple[dict[str, tuple[str, ...]], list[Finding]]:
    """Judge the accepted answers of the other variants by the tests of this one, each up to the first test that rejects it.
    Returns these tests by the other variant's name, and a finding for each answer that no test rejected.
    """
    of = [(other, answer) for other in others for answer in other.accepted]
    trials = [Trial(answer.name, answer.source, proof_seeds(1)[0], variant.package) for _, answer in of]
    ends = judge_trials(bench, trials, to_the_end=False, note=note)
    rejects: dict[str, set[str]] = {other.name: set() for other in others}
    findings = list(unjudged_findings(ends))
    for (other, answer), end in zip(of, ends, strict=True):
        if end.judgement is None:
            continue
        failed = _failed(end)
        rejects[other.name] |= {*failed[:1]}
        if not failed:
            told = "is accepted" if end.accepted else f"is rejected by no test ({end.judgement.verdict})"
            findings.append(Finding(f"{other.name}/{answer.name}", f"{told} by the tests of this variant"))
    return {name: tuple(sorted(tests)) for name, tests in rejects.items()}, findings


def _failed(end: TrialResult) -> list[str]:
    """Return the tests that an answer failed, in order; none if it could not be loaded."""
    if end.judgement is None or end.unloaded:
        return []
    return [test.id for test in end.judgement.tests if test.verdict is not Verdict.AC]
