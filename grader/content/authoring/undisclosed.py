"""Finds properties that tests.py checks but the statement does not mention.

Each rule has two patterns: one finds tests that check a property, the other finds statements that mention the property. If a
statement uses words that the second pattern lacks, add them to the rule.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.content.authoring.finding import Finding
from grader.content.package import Package


@dataclass(frozen=True)
class Rule:
    """A property (`what`). `asked` matches tests that check the property, and `told` matches statements that mention it."""

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
# Matches statements about answers that get a function as an argument: the function's exceptions must propagate. Such a
# statement need not name the exceptions.
_THROUGH = re.compile(r"(pass|let|go)(es|s)? (it )?through|propagat|is raised as it is|still raise", re.IGNORECASE)


def undisclosed_properties(package: Package) -> Iterator[Finding]:
    """Yield a finding for each property and each exception that the tests check but the statement does not mention."""
    for rule in RULES:
        if rule.asked.search(package.tests_source) and not rule.told.search(package.statement):
            yield Finding(
                "statement.md", f"does not mention {rule.what}, which tests.py checks: state every hidden property"
            )
    for error in sorted(_errors(package.tests_source)):
        if error not in package.statement and not _THROUGH.search(package.statement):
            yield Finding("statement.md", f"does not say when {error} is raised, which tests.py checks")


def _errors(tests: str) -> set[str]:
    """Return the names of the exceptions that the tests expect an answer to raise. Leaves out `Exception`, and the grader's own
    CheckFailed and RemoteError.
    """
    named = {name.strip() for found in _RAISES.findall(tests) for name in found.split(",")}
    for constant in {name for name in named if name.isupper()}:  # such as ERRORS = (TypeError, ValueError)
        meant = re.search(rf"^{constant}\s*=\s*{_NAMES}", tests, re.MULTILINE)
        named |= {name.strip() for name in meant[1].split(",")} if meant else set()
        named.discard(constant)
    return named - {"CheckFailed", "Exception", "RemoteError"}
