"""Hidden properties that a statement keeps to itself: what tests.py asks for, and no word of the statement speaks of.

Each rule says what a test of a property looks like, and the words that a statement which mentions it has at least one of. A
statement may say a thing in a way that no rule knows: then the rule learns the word.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.gate.finding import Finding
from grader.package import Package


@dataclass(frozen=True)
class Rule:
    """`asked` is found in tests that ask for `what`; `told` in statements that tell of it."""

    what: str
    asked: re.Pattern[str]
    told: re.Pattern[str]


def _rule(what: str, asked: str, told: str) -> Rule:
    return Rule(what, re.compile(asked), re.compile(told, re.IGNORECASE))


RULES = (
    _rule(
        "gradients",
        r"assert_same_gradients|assert_gradcheck|assert_gradgradcheck|\bgradcheck\(|\bgradgradcheck\(|\.backward\(|autograd\.grad\(",
        r"gradient|differentia|backward|autograd|\bderivative",
    ),
    _rule(
        "second derivatives",
        r"gradgradcheck",
        r"second|twice differentia|double backward|gradient of .*gradient|Hessian",
    ),
    _rule(
        "arguments staying as they are",
        r"assert_not_mutated",
        r"in[ -]place|unchanged|untouched|not change|never change|change[sd]? (no|none|nothing)|modif|mutat|leave[sn]?\b|left\b"
        r"|as (it|they) (was|were)|(is|are|nor|not) (be )?changed",
    ),
    _rule("training and evaluation mode", r"assert_mode_matters|assert_ignores_mode", r"\bmode|\btrain(ing)?\b|\beval"),
    _rule(
        "its state dict",
        r"assert_state_dict_round_trip|load_state_dict",
        r"state[_ ]dict|checkpoint|\bsaved?\b|\bkeys?\b|parameter",
    ),
    _rule(
        "float64",
        r"torch\.float64|torch\.double",
        r"float64|float\d*/64|double|any floating|every floating|floating[- ]point|\bdtypes?\b",
    ),
    _rule(
        "half precision",
        r"torch\.(b?float16|half)\b",
        r"float16|half|any floating|every floating|floating[- ]point|\bdtypes?\b|autocast",
    ),
)
_NAMES = r"\(?([A-Z]\w+(?:\s*,\s*[A-Z]\w+)*)"
_RAISES = re.compile(rf"\braises\(\s*{_NAMES}")
# What an answer is handed may raise, and the answer has to let it through.
_THROUGH = re.compile(r"(pass|let|go)(es|s)? (it )?through|propagat|is raised as it is|still raise", re.IGNORECASE)


def untold(package: Package) -> Iterator[Finding]:
    """What the tests ask for and the statement does not speak of."""
    for rule in RULES:
        if rule.asked.search(package.tests_source) and not rule.told.search(package.statement):
            yield Finding(
                "statement.md", f"says nothing of {rule.what}, which tests.py asks for: every hidden property is told"
            )
    for error in sorted(_errors(package.tests_source)):
        if error not in package.statement and not _THROUGH.search(package.statement):
            yield Finding("statement.md", f"does not say when {error} is raised, which tests.py asks for")


def _errors(tests: str) -> set[str]:
    """Names of the exceptions that an answer must raise; CheckFailed is the kit's own."""
    named = {name.strip() for found in _RAISES.findall(tests) for name in found.split(",")}
    for constant in {name for name in named if name.isupper()}:  # ERRORS = (TypeError, ValueError)
        meant = re.search(rf"^{constant}\s*=\s*{_NAMES}", tests, re.MULTILINE)
        named |= {name.strip() for name in meant[1].split(",")} if meant else set()
        named.discard(constant)
    return named - {"CheckFailed", "Exception", "RemoteError"}
