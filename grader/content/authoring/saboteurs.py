"""Defines the saboteurs: general ways to break a right answer. A sabotaged answer consists of the reference and, after it, code
that wraps the reference's entries.

A saboteur survives if a test could notice its change but all tests pass. In this case, no test checks the property that the
saboteur changes. A saboteur is idle if, in this challenge, it changes nothing that a test could notice.

To find the idle saboteurs, the gate judges the reference while saboteurs *watch* the calls that tests make to it. A saboteur
that watches reports whether a test could notice its change, but changes nothing. For a saboteur that cannot watch, the gate
judges a *marked* twin, a sabotaged answer that ends its process as soon as a test could notice the change.
"""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from grader.content.package import Package

SEEN = "exit status 77"  # a test's message contains this text if a marked twin ended its process
_REPORT = re.compile(r"^gradus-noticed:(\S+)$", re.MULTILINE)  # a saboteur that watches prints this (see watching.py)
# Saboteurs that cannot watch. `called-twice` would have to know what a second call does; the other two would have to know what
# the cell's reply contains.
BLIND = frozenset({"called-twice", "overwritten-arguments", "overwritten-cotangents"})
# Saboteurs that change only calls that raise an error.
RAISING = frozenset({"other-error", "no-error"})
_PARTS = ("noticing", "value_changes", "call", "call_changes", "watching", "forging", "wrapping")
_ANY = frozenset({"function", "class", "module", "autograd_function"})
_MODULE = frozenset({"module"})
_CLASSES = frozenset({"class", "module"})


@dataclass(frozen=True)
class Saboteur:
    """A way to break a right answer. The gate tries it if the challenge declares an entry of one of the kinds in `fits`.

    `usually` says why the tests of any challenge may accept this saboteur. It is empty if the tests must reject the saboteur.
    If a saboteur with `usually` survives, the gate reports it as excused, and gate.toml need not give a reason.
    """

    id: str
    text: str
    fits: frozenset[str] = _ANY
    usually: str = ""


SABOTEURS = (
    Saboteur("float64-output", "floating-point results are float64"),
    Saboteur("float32-output", "float64 results have been through float32"),
    Saboteur("half-precision", "floating-point results have been through float16"),
    Saboteur("int32-output", "int64 results are int32"),
    Saboteur("scaled-output", "floating-point results are too large by a thousandth"),
    Saboteur("noisy-output", "a thousandth of noise is on the results"),
    Saboteur("zeros", "results are zeros of the right shape"),
    Saboteur("ones", "results are ones of the right shape"),
    Saboteur("off-by-one", "integer results are one too large, truth values the other way round"),
    Saboteur("last-row-missing", "the last row or item of a result is missing"),
    Saboteur("last-row-twice", "the last row or item of a result comes twice"),
    Saboteur("rows-reversed", "rows or items come in reverse order"),
    Saboteur("columns-rolled", "the last axis is shifted by one"),
    Saboteur("nan-swallowed", "NaN in a result is replaced by zero"),
    Saboteur("clamped-output", "results beyond ±10,000 are cut off"),
    Saboteur("negated-for-negative", "the sign is wrong when the first input's sum is negative"),
    Saboteur("detached-output", "results are cut off from the graph"),
    Saboteur("halved-gradient", "values are right, every gradient is half of what it should be"),
    Saboteur(
        "leaked-gradient",
        "results ask for gradients though no input does",
        usually="no number is wrong; only few statements say when a result has no graph",
    ),
    Saboteur(
        "aliased-input",
        "an argument itself is returned where the result equals it",
        usually="no number is wrong; only few statements ask for memory of its own",
    ),
    Saboteur("first-result-kept", "the first result is returned for all later inputs of the same shapes"),
    Saboteur("mutated-input", "the first floating-point argument is changed in place"),
    Saboteur("first-input-cut-off", "no gradient reaches the first argument"),
    Saboteur("last-input-cut-off", "no gradient reaches the last of several arguments"),
    Saboteur("reseeded", "the global random generator is seeded anew in every call"),
    Saboteur("ignored-generator", "a generator that is passed is not used"),
    Saboteur("ignored-options", "optional arguments always have their default"),
    Saboteur("nothing-done", "calls do nothing and return None"),
    Saboteur("called-twice", "everything is done twice"),
    Saboteur("overwritten-arguments", "every reply overwrites all that was sent with zeros, and its tensors are zeros"),
    Saboteur("overwritten-cotangents", "backward passes give zeros, and overwrite what they were asked with by zeros"),
    Saboteur("other-error", "what should raise raises another type of exception"),
    Saboteur("no-error", "what should raise returns None"),
    Saboteur("ignored-settings", "optional constructor arguments always have their default", _CLASSES),
    Saboteur("gap-in-state", "the last entry of state_dict() is missing", _CLASSES),
    Saboteur("always-training", "training mode whatever the mode is", _MODULE),
    Saboteur("always-evaluating", "evaluation mode whatever the mode is", _MODULE),
    Saboteur("extra-parameter", "there is one parameter too many", _MODULE),
    Saboteur("frozen-parameters", "parameters do not ask for gradients", _MODULE),
)
IDS = frozenset(saboteur.id for saboteur in SABOTEURS)


def fitting(package: Package) -> list[Saboteur]:
    """Return the saboteurs that can be applied to an entry of the challenge, in the order of SABOTEURS."""
    kinds = {entry.kind for entry in package.info.entry}
    return [saboteur for saboteur in SABOTEURS if saboteur.fits & kinds]


def sabotaged(package: Package, saboteur: Saboteur, *, marked: bool = False) -> str:
    """Return the source of the sabotaged reference: the unchanged reference, followed by the code of the saboteur. With
    `marked`, returns the saboteur's marked twin.
    """
    return _with_behind(package, "sabotage", saboteur.id, marked=marked)


def watched(package: Package, names: list[str]) -> str:
    """Return the source of the reference, followed by code that lets the saboteurs in `names` watch it. `names` must not
    contain a saboteur of BLIND.
    """
    return _with_behind(package, "watch", names)


def reported(output: str) -> list[str]:
    """Return the saboteurs that reported, in the output of a watched reference, that a test could notice their change."""
    return _REPORT.findall(output)


def _with_behind(package: Package, action: str, what: str | list[str], **more: bool) -> str:
    entries = [{"name": e.name, "kind": e.kind, "methods": list(e.methods)} for e in package.info.entry]
    given = ", ".join(["globals()", repr(what), repr(entries), *(repr(value) for value in more.values())])
    return f"{package.reference}\n\n{_BEHIND.format(parts=_parts(), action=action, given=given)}"


# The code of the saboteurs is passed as strings. The check for forbidden names, which is made for every answer, does not search
# strings, so names that only the saboteurs use are not reported.
_BEHIND = """
def _gradus_sabotage():
    import sys, types
    for name, text in {parts}:
        part = sys.modules["grader.content.authoring.sabotage." + name] = types.ModuleType(name)
        exec(compile(text, name, "exec"), vars(part))
    part.{action}({given})


_gradus_sabotage()
"""


@functools.cache
def _parts() -> str:
    folder = Path(__file__).parent / "sabotage"
    return repr([(name, (folder / f"{name}.py").read_text(encoding="utf-8")) for name in _PARTS])
