"""Checks how evidence (the results of tests, and what happened during a judging) becomes a judgement: which verdict wins, what
counts as evidence, and which texts are safe to show.
"""

from pathlib import Path

import msgspec
import pytest

from grader.content import package as packages
from grader.content.package import Package, load
from grader.contract.errors import JudgeLost
from grader.contract.job import Job, Judgement, Kind, Verdict
from grader.contract.job import TestResult as Result
from grader.judging import decide
from grader.judging.decide import Evidence, plain, verdict_of

AC, WA, RE, TLE, MLE, CE, RV = (Verdict(v) for v in "AC WA RE TLE MLE CE RV".split())


@pytest.fixture(scope="module")
def package() -> Package:
    return load(Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention")


def job(kind: Kind = Kind.SUBMIT) -> Job:
    return Job("job", "token", kind, "attention", "digest", "source", "owner", 7)


def result(spec: packages.TestSpec, verdict: Verdict = AC, **more: object) -> Result:
    report = {"passed": verdict is AC, "verdict": str(verdict), "seconds": 0.1, **more}
    return decide.test_result(spec, report, stdout="printed", override=None)


def evidence(package: Package, **verdicts: Verdict) -> Evidence:
    """Return evidence in which all tests passed, except those to which `verdicts` gives another verdict."""
    return Evidence(
        loaded=True, tests={t.id: result(t, verdicts.get(t.id.split("[")[0], AC)) for t in package.lock.tests}
    )


def judged(package: Package, found: Evidence, kind: Kind = Kind.SUBMIT) -> Judgement:
    return decide.judgement(job(kind), package, found, {"node": "here"})


def test_all_passed_is_accepted_with_every_point(package: Package) -> None:
    judgement = judged(package, evidence(package))
    assert (judgement.verdict, judgement.score, judgement.max_score) == (AC, 11, 11)
    assert judgement.seed == 7
    assert judgement.environment == {"node": "here"}


def test_first_test_in_order_that_did_not_pass_gives_the_verdict(package: Package) -> None:
    judgement = judged(package, evidence(package, test_keeps_its_inputs=TLE, test_gradients=WA))
    assert judgement.verdict is WA
    assert judgement.score == 11 - 2 - 1


def test_order_of_arrival_does_not_matter(package: Package) -> None:
    found = evidence(package, test_gradients=RE, test_one_key=WA)
    found.tests = dict(reversed(found.tests.items()))
    judgement = judged(package, found)
    assert judgement.verdict is WA
    assert [test.id for test in judgement.tests] == [spec.id for spec in package.lock.tests]


@pytest.mark.parametrize("verdict", [CE, RV, RE, TLE, MLE])
def test_failed_load_decides_alone_and_every_test_says_so(package: Package, verdict: Verdict) -> None:
    judgement = judged(package, Evidence(load_verdict=verdict, message="line 3"))
    assert (judgement.verdict, judgement.score, judgement.message) == (verdict, 0, "line 3")
    assert {test.verdict for test in judgement.tests} == {verdict}
    assert all("could not be loaded" in test.message for test in judgement.tests)


def test_load_comes_before_tests() -> None:
    assert verdict_of(RV, []) is RV
    assert verdict_of(None, []) is AC


def test_missing_result_is_our_fault_and_never_a_pass(package: Package) -> None:
    found = evidence(package)
    del found.tests["test_gradients"]
    with pytest.raises(JudgeLost, match="test_gradients"):
        judged(package, found)


def test_nothing_at_all_is_our_fault(package: Package) -> None:
    with pytest.raises(JudgeLost):
        judged(package, Evidence(loaded=True))


def test_spent_budget_marks_what_was_not_run(package: Package) -> None:
    found = evidence(package)
    for name in ("test_keeps_its_inputs", "test_results_are_its_own"):
        del found.tests[name]
    found.spent, found.rest = TLE, "not run: the submission used more than 1 s of CPU time before"
    judgement = judged(package, found)
    assert judgement.verdict is TLE
    assert [test.message for test in judgement.tests[-2:]] == [found.rest] * 2
    assert judgement.score == 9


def test_spent_budget_does_not_hide_an_earlier_wrong_answer(package: Package) -> None:
    found = evidence(package, test_one_key=WA)
    del found.tests["test_results_are_its_own"]
    found.spent = TLE
    assert judged(package, found).verdict is WA


def test_run_judges_the_samples_only(package: Package) -> None:
    judgement = judged(package, evidence(package, test_gradients=WA), Kind.RUN)
    assert (judgement.verdict, judgement.max_score) == (AC, 1)
    assert [test.id for test in judgement.tests] == ["test_one_key"]


def test_scratch_has_no_verdict_unless_it_failed(package: Package) -> None:
    assert judged(package, Evidence(output=b"3\n"), Kind.SCRATCH).verdict is None
    assert judged(package, Evidence(output=b"3\n"), Kind.SCRATCH).output == "3\n"
    assert judged(package, Evidence(load_verdict=TLE), Kind.SCRATCH).verdict is TLE


def test_all_or_nothing_scores_nothing_for_a_part(package: Package) -> None:
    strict = msgspec.structs.replace(package, info=msgspec.structs.replace(package.info, scoring="all-or-nothing"))
    assert judged(strict, evidence(strict)).score == 11
    assert judged(strict, evidence(strict, test_one_key=WA)).score == 0


@pytest.mark.parametrize("passed", [1, "true", "yes", None, [], False])
def test_only_true_itself_is_a_pass(package: Package, passed: object) -> None:
    report = {"passed": passed, "verdict": "AC", "seconds": 0.0}
    assert decide.test_result(package.lock.tests[0], report, stdout="", override=None).verdict is WA


def test_what_the_node_saw_overrules_what_the_judge_reports(package: Package) -> None:
    found = decide.test_result(package.lock.tests[0], {"passed": True, "seconds": 0.0}, stdout="", override=(MLE, "x"))
    assert (found.verdict, found.message) == (MLE, "x")


def test_hidden_tests_show_no_output(package: Package) -> None:
    sample, hidden = package.lock.tests[0], package.lock.tests[1]
    assert (result(sample).stdout, result(hidden).stdout) == ("printed", "")


@pytest.mark.parametrize("line", ["7", 7.0, None, [7]])
def test_line_is_a_number_or_nothing(package: Package, line: object) -> None:
    assert result(package.lock.tests[0], RE, line=line).line is None


def test_text_keeps_what_people_write_and_loses_what_terminals_obey() -> None:
    assert plain("∑ naïve\n\ttab 🎉") == "∑ naïve\n\ttab 🎉"
    assert plain("a\r\nb\rc") == "a\nb\nc"
    assert plain("\x1b[31mred\x00\x07\x9b") == "\ufffd[31mred\ufffd\ufffd\ufffd"
    assert plain("\ud800half").encode() == b"?half"
