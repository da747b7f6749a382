"""Saboteurs: generic ways to spoil any right answer. Each makes source text: the reference, then code that wraps its entries.

A saboteur that passes every test and whose *marked* twin (which ends its process where a change could be noticed) is noticed
has survived: the tests do not look at what it does. One whose twin is accepted too changes nothing here: it does not apply.
"""

import functools
from dataclasses import dataclass
from pathlib import Path

from grader.package import Package

SEEN = "exit status 77"  # how the node words the end of a marked twin
_PARTS = ("seeing", "values", "calls", "wrapping")
_ANY = frozenset({"function", "class", "module", "autograd_function"})
_MODULE = frozenset({"module"})
_CLASSES = frozenset({"class", "module"})


@dataclass(frozen=True)
class Saboteur:
    """A way to spoil a right answer; `fits` are kinds of entry, one of which the challenge must declare.

    `usually` is why most challenges may accept it: such a survivor is shown, and needs no reason of its own.
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
    """The saboteurs that fit what the challenge declares."""
    kinds = {entry.kind for entry in package.info.entry}
    return [saboteur for saboteur in SABOTEURS if saboteur.fits & kinds]


def sabotaged(package: Package, saboteur: Saboteur, *, marked: bool = False) -> str:
    """The reference, spoilt. It stays as it is, line by line; the code behind it lives in modules of its own."""
    entries = [{"name": e.name, "kind": e.kind, "methods": list(e.methods)} for e in package.info.entry]
    return f"{package.reference}\n\n{_BEHIND.format(parts=_parts(), name=saboteur.id, entries=entries, marked=marked)}"


# The parts are strings there, so that the names they use are not taken for the answer's by the look at forbidden names.
_BEHIND = """
def _gradus_sabotage():
    import sys, types
    for name, text in {parts}:
        part = sys.modules["grader.gate.sabotage." + name] = types.ModuleType(name)
        exec(compile(text, name, "exec"), vars(part))
    part.sabotage(globals(), {name!r}, {entries!r}, {marked!r})


_gradus_sabotage()
"""


@functools.cache
def _parts() -> str:
    folder = Path(__file__).parent / "sabotage"
    return repr([(name, (folder / f"{name}.py").read_text(encoding="utf-8")) for name in _PARTS])
