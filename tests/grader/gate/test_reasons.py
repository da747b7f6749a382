"""Checks the reasons in gate.toml. If the tests of a challenge accept a saboteur or a mutant (a broken variant of the
reference), a reason in this file must say why that is allowed.
"""

from pathlib import Path

import pytest

from grader.content.authoring.gate_toml import load_gate_toml
from grader.content.package import digest
from grader.contract.errors import PackageError
from grader.gate.mutation.trials import unneeded_reasons
from grader.gate.report.record import MutantResult, SaboteurResult

GOOD = """
[[survivor]]
saboteur = "half-precision"
reason = "The statement asks for two digits only."

[[survivor]]
mutant = "constant-0caf0346"
reason = "Equivalent: the branch returns the same."
"""


def written(folder: Path, text: str) -> Path:
    (folder / "gate.toml").write_text(text)
    return folder


def test_without_a_file_nothing_is_excused(tmp_path: Path) -> None:
    assert load_gate_toml(tmp_path).survivor == ()


def test_reasons_by_what_they_excuse(tmp_path: Path) -> None:
    read = load_gate_toml(written(tmp_path, GOOD))
    assert read.of_saboteurs() == {"half-precision": "The statement asks for two digits only."}
    assert read.of_mutants() == {"constant-0caf0346": "Equivalent: the branch returns the same."}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[survivor]]\nsaboteur = 'zeros'\nreason = 'long enough to be a reason'\nwhy = 1\n", "unknown field `why`"),
        ("[[survivors]]\nsaboteur = 'zeros'\n", "unknown field `survivors`"),
        ("[[survivor]]\nreason = 'long enough to be a reason'\n", "either a `saboteur` or a `mutant`"),
        ("[[survivor]]\nsaboteur = 'zeros'\nmutant = 'a'\nreason = 'long enough to be a reason'\n", "either a"),
        ("[[survivor]]\nsaboteur = 'zeroes'\nreason = 'long enough to be a reason'\n", "no saboteur 'zeroes'"),
        ("[[survivor]]\nsaboteur = 'zeros'\nreason = 'because'\n", "too short"),
        ("[[survivor]]\nsaboteur = 'zeros'\n", "missing required field `reason`"),
        (GOOD + GOOD, "comes twice"),
        ("[[survivor]\n", "gate.toml"),
    ],
)
def test_what_is_refused_says_file_and_key(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(PackageError, match=complaint) as caught:
        load_gate_toml(written(tmp_path, text))
    assert "gate.toml" in str(caught.value)


def test_a_reason_for_what_does_not_survive_is_a_finding(tmp_path: Path) -> None:
    read = load_gate_toml(written(tmp_path, GOOD))
    spoilt = (SaboteurResult("half-precision", "…", "rejected", "test_values"),)
    mutated = (MutantResult("constant-0caf0346", "constant", 3, "-a\n+b", "excused"),)
    found = unneeded_reasons(read, spoilt, mutated)
    assert [f.text for f in found] == ["gives a reason for half-precision, which is rejected by test_values: remove it"]
    assert [f.text for f in unneeded_reasons(read, (), mutated)] == [
        "gives a reason for half-precision, which is not among those made: remove it"
    ]


def test_it_is_not_part_of_what_the_digest_names(tmp_path: Path) -> None:
    (tmp_path / "tests.py").write_text("a")
    before = digest(tmp_path)
    assert digest(written(tmp_path, GOOD)) == before
    (tmp_path / "tests.py").write_text("b")
    assert digest(tmp_path) != before
