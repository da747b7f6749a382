"""Tests how variants are declared, and how a combination is expanded into a package."""

from pathlib import Path

import pytest

from grader.content.package import load
from grader.content.variants.declared import combinations, declaration
from grader.content.variants.expansion import Computed, expanded, load_variant
from grader.content.variants.lock import load_lock, proven_variants
from grader.contract.errors import PackageError
from tests.api.challenge_folders import STEPS, write_challenge, write_variants

REFERENCE = "submissions/accepted/a.py"


def change(file: str, find: str, replace: str) -> str:
    return f"[[parameter.value.changes]]\nfile = '{file}'\nfind = '''{find}'''\nreplace = '''{replace}'''\n"


def value(name: str, *changes: str) -> str:
    return f"[[parameter.value]]\nname = '{name}'\nsummary = 'the value {name}'\n{''.join(changes)}"


def parameter(name: str, *values: str) -> str:
    return f"[[parameter]]\nname = '{name}'\nabout = 'what {name} means'\n{''.join(values)}"


TWO = (change(REFERENCE, "x + 1", "x + 2"), change("submissions/accepted/b.py", "1 + x", "2 + x"))
STEP = parameter("step", value("one"), value("two", *TWO))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_challenge(tmp_path)


def declare(folder: Path, text: str) -> None:
    declaration(folder).parent.mkdir(exist_ok=True)
    declaration(folder).write_text(text)


def refusal(folder: Path, text: str) -> str:
    """Declare variants and expand all of them. Return the error."""
    declare(folder, text)
    with pytest.raises(PackageError) as refused:
        expand_all(folder)
    return str(refused.value)


def expand_all(folder: Path) -> None:
    for one in combinations(folder):
        load_variant(folder, one, Computed(load(folder).lock.tests, ()))


def test_a_challenge_without_a_declaration_has_no_variants(folder: Path) -> None:
    assert combinations(folder) == ()
    assert proven_variants(folder, load(folder)) == ()


def test_combinations_are_the_product_of_the_values_and_the_first_is_plain(folder: Path) -> None:
    plain = load(folder).digest
    starter = change("starter.py", "...", "pass"), change(REFERENCE, "SECRET", "OPEN")
    other = value("pass", *starter, change("submissions/accepted/b.py", "add_one =", "add_one  ="))
    declare(folder, STEP + parameter("body", value("dots"), other))
    found = combinations(folder)
    assert [one.name for one in found] == ["one.dots", "one.pass", "two.dots", "two.pass"]
    assert [one.is_plain for one in found] == [True, False, False, False]
    assert found[3].summary == "the value two; the value pass"
    packages = [load_variant(folder, one, Computed(load(folder).lock.tests, ())) for one in found]
    assert len({package.digest for package in packages} | {plain}) == 5, "each has a digest of its own"
    assert packages[3].reference == "def add_one(x):\n    return x + 2  # OPEN-REFERENCE\n"
    assert packages[3].starter == "def add_one(x):\n    pass\n"
    assert load(folder).digest == plain, "the plain challenge does not notice its variants"


def test_offered_restricts_the_combinations(folder: Path) -> None:
    more = parameter("step", value("one"), value("two", *TWO), value("again", *TWO))
    declare(folder, "offered = ['one', 'again']\n" + more)
    assert [one.name for one in combinations(folder)] == ["one", "again"]


def test_accepted_answers_that_a_value_leaves_as_they_are_are_left_out(folder: Path) -> None:
    (folder / "submissions" / "accepted" / "c.py").write_text("def add_one(x):\n    return 1 + x\n")
    declare(folder, STEP)
    with expanded(folder, combinations(folder)[1]) as target:
        assert sorted(path.name for path in (target / "submissions/accepted").glob("*")) == ["a.py", "b.py"]
        assert not (target / "wrong.toml").exists()


def test_the_outputs_of_examples_and_the_tests_are_those_that_the_gate_computed(folder: Path) -> None:
    example = "\n```python\nprint(add_one(1))\n```\n\n```output\n2\n```\n"
    (folder / "statement.md").write_text((folder / "statement.md").read_text() + example)
    declare(folder, STEP)
    tests = load(folder).lock.tests[:2]
    package = load_variant(folder, combinations(folder)[1], Computed(tests, ("3\n",)))
    assert "```output\n3\n```" in package.statement
    assert package.lock.tests == tests
    with pytest.raises(PackageError, match="another number of examples"):
        load_variant(folder, combinations(folder)[1], Computed(tests, ("3\n", "4\n")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "parameter"),
        ("parameter = []", "has no [[parameter]]"),
        ("nonsense", "Expected '='"),
        ("surprise = 1\n" + STEP, "unknown field `surprise`"),
        (parameter("step", value("one")), "needs at least two [[parameter.value]] tables"),
        (parameter("step", value("one"), value("two")), "has no [[parameter.value.changes]]"),
        (parameter("step", value("one", *TWO), value("two", *TWO)), "the first value is the plain one"),
        (parameter("step", value("one"), value("one", *TWO)), "the value 'one' appears twice"),
        (STEP + STEP, "the parameter 'step' appears twice"),
        (parameter("step", value("One"), value("two", *TWO)), "a name is lower-case words"),
        ("offered = ['one', 'three']\n" + STEP, "offered names 'three'"),
        ("offered = ['one']\n" + STEP, "name at least two"),
        (STEP.replace("the value two", " "), "summary is a phrase"),
        (STEP.replace("the value two", "x" * 81), "summary is a phrase"),
        (parameter("step", value("one"), *(value(f"v{n}", *TWO) for n in range(20))), "at most 16 are read"),
    ],
)
def test_a_declaration_that_says_nothing_clear_is_refused(folder: Path, text: str, told: str) -> None:
    assert told in refusal(folder, text)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ((change("starter.py", "nowhere", "x"),), "does not occur"),
        ((change("tests.py", "solution", "x"),), "occurs more than once"),
        ((change("starter.py", "add_one", "x"), change("starter.py", "def add_one", "y")), "overlap"),
        ((change("starter.py", " ", "x"),), "is empty"),
        ((change("given.py", "x", "y"),), "has no given.py"),
        ((change("submissions/accepted/z.py", "x", "y"),), "has no submissions/accepted/z.py"),
        ((change("editorial.md", "x", "y"),), "cannot be changed"),
        ((change("wrong.toml", "x", "y"),), "cannot be changed"),
        ((change("../add-two/starter.py", "x", "y"),), "cannot be changed"),
        ((change("/etc/passwd", "x", "y"),), "cannot be changed"),
        ((change("submissions/accepted/../../tests.py", "x", "y"),), "cannot be changed"),
        ((change("challenge.toml", 'title = "Add one"', 'title = "Add two"'),), "title is the same in all variants"),
        ((change("challenge.toml", "minutes = 3", 'minutes = "x"'),), "minutes"),
    ],
)
def test_a_change_that_cannot_be_applied_is_refused(folder: Path, changes: tuple[str, ...], told: str) -> None:
    assert told in refusal(folder, parameter("step", value("one"), value("two", *TWO, *changes)))


def test_two_parameters_that_change_the_same_text_do_not_compose(folder: Path) -> None:
    other = parameter("other", value("plain"), value("same", *TWO))
    assert "overlap" in refusal(folder, STEP + other)


def test_every_value_changes_the_reference_and_another_answer(folder: Path) -> None:
    assert "must change the reference" in refusal(folder, parameter("step", value("one"), value("two", TWO[1])))
    assert "must change the reference" in refusal(folder, parameter("step", value("one"), value("two", TWO[0])))


def test_only_variants_that_were_proven_as_they_are_now_are_used(folder: Path) -> None:
    write_variants(folder)
    assert [one.name for one, _ in proven_variants(folder, load(folder))] == list(STEPS)
    for path in (declaration(folder), folder / "starter.py"):
        before = path.read_text()
        path.write_text(before + "\n# later\n")
        with pytest.raises(PackageError, match="gradus challenge check add-one"):
            proven_variants(folder, load(folder))
        path.write_text(before)
    (declaration(folder).with_suffix(".lock")).write_text("{")
    with pytest.raises(PackageError, match="run `gradus challenge check add-one`"):
        load_lock(folder)
