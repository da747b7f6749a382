"""Tests questions of the team as candidates answer them: what they can see, what counts, and the lines of code that they mark."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.hiring.participations.deadline_sweeper import erase_old
from api.hiring.participations.models import ParticipationDraft, ParticipationEdit
from tests.api.hiring.question_rig import (
    CHOICE,
    CODE,
    GUIDE,
    NUMBER,
    RIGHT_OPTION,
    SECRETS,
    TEXT,
    WRONG_OPTION,
    begun,
    choose,
    enter,
    finish,
    grade,
    mark,
    row_of,
    three_questions,
    write,
)
from tests.api.hiring.taking_rig import Rig, Taker, code_of, rig_in, sweeper_of

pytestmark = pytest.mark.anyio
SOURCE = "def add_one(x):\n    y = x\n    return y + 1\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment that contains three questions."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess(sections=three_questions(), recorded=["edits"])
        yield rig


async def everything_told(taker: Taker, token: str) -> str:
    """Return the bodies of all responses that a candidate can read, as one text."""
    answers = [await taker.http.post(f"/api/participation/items/{position}/open") for position in range(1, 5)]
    answers += [await taker.http.get(path) for path in ("/api/participation", f"/api/take/{token}")]
    answers += [await choose(taker, WRONG_OPTION), await enter(taker, 3), await write(taker, "Because.")]
    answers += [await mark(taker, (1, 1))]
    return " ".join(answer.text for answer in answers)


@pytest.mark.parametrize("verdicts", ["after", "never", "at_once"])
async def test_candidates_never_read_a_key_before_they_may_see_results(rig: Rig, verdicts: str) -> None:
    await rig.assess(sections=three_questions(), verdicts=verdicts)
    token = (await rig.invite())["token"]
    taker = await rig.start(token)
    before = " ".join([str(await taker.open(position)) for position in range(1, 5)])
    assert not [each for each in (*SECRETS, GUIDE, "'right'") if each in before]
    told = await everything_told(taker, token)
    await finish(taker)
    ended = await everything_told(taker, token)
    assert GUIDE not in told + ended
    shown_while_running = [each for each in SECRETS if each in told]
    shown_afterwards = [each for each in SECRETS if each in ended]
    assert shown_while_running == (list(SECRETS) if verdicts == "at_once" else [])
    assert shown_afterwards == ([] if verdicts == "never" else list(SECRETS))


async def test_with_less_feedback_a_mark_says_only_whether_the_answer_is_right(rig: Rig) -> None:
    await rig.assess(sections=three_questions(feedback="verdict"), verdicts="at_once")
    taker = await begun(rig)
    told = (await choose(taker, WRONG_OPTION)).json()["mark"]
    assert (told["right"], told["key"], told["reasons"]) == (False, None, [])
    assert "SECRET-REASON" not in str(await taker.open(CHOICE))
    assert (await taker.state())["sections"][1]["items"][0]["score"] is None


async def test_answers_are_marked_like_those_of_a_quiz(rig: Rig) -> None:
    taker = await begun(rig)
    assert (await choose(taker, RIGHT_OPTION)).status_code == 201
    assert (await enter(taker, 0.13)).status_code == 201
    ended = await finish(taker)
    items = (await row_of(rig, ended))["items"]
    assert [(each["kind"], each["title"], each["score"], each["sent"]) for each in items] == [
        ("challenge", "Add one", 0, 0), ("question", "Precision", 4, 1), ("question", "Learning rate", 6, 1),
        ("question", "Your loop", 0, 0),
    ]  # fmt: skip
    told = (await rig.owner.http.get(f"{rig.path}/participations/{ended}/items/{CHOICE}/quiz")).json()
    assert told["questions"][0]["mark"]["right"] is True


async def test_an_answer_counts_once_however_often_it_is_sent(rig: Rig) -> None:
    taker = await begun(rig)
    assert [(await choose(taker, WRONG_OPTION)).status_code for _ in range(2)] == [201, 201]
    assert code_of(await choose(taker, RIGHT_OPTION)) == (409, "already_answered")
    assert code_of(await enter(taker, "lots")) == (422, "bad_answer")
    assert code_of(await enter(taker, ["a"])) == (422, "bad_answer")


async def test_each_question_takes_only_its_own_kind_of_answer(rig: Rig) -> None:
    taker = await begun(rig)
    body = {"question": "loop", "answer": "Because."}
    refused = await taker.http.post(f"/api/participation/items/{TEXT}/answers", json=body)
    assert code_of(refused) == (409, "other_kind")
    draft = {"source": "Because.", "sequence": 1}
    for position in (CHOICE, NUMBER):
        refused = await taker.http.put(f"/api/participation/items/{position}/draft", json=draft)
        assert code_of(refused) == (409, "other_kind")
    sent = {"source": SOURCE, "kind": "submit"}
    refused = await taker.http.post(f"/api/participation/items/{TEXT}/submissions", json=sent)
    assert code_of(refused) == (409, "other_kind")
    assert (await taker.http.post(f"/api/participation/items/{TEXT}/scratch", json={**sent})).status_code in (409, 422)


async def test_a_text_is_the_last_one_that_was_saved_in_time(rig: Rig) -> None:
    taker = await begun(rig)
    state = await taker.state()
    edit = {"t_ms": 5, "from": 0, "to": 0, "text": "First."}
    assert (await write(taker, "First.", edits=[edit])).status_code == 200
    assert [(await write(taker, "Second.", 2)).status_code for _ in range(2)] == [200, 200]
    rig.clock.to(state["deadline"], seconds=3)
    assert code_of(await write(taker, "Too late.", 3)) == (409, "time_is_over")
    assert code_of(await mark(taker, (1, 1))) == (409, "time_is_over")
    await sweeper_of(rig.service).finish_overdue()
    told = await rig.owner.http.get(f"{rig.path}/participations/{state['id']}/items/{TEXT}/text")
    assert (told.json()["text"], told.json()["guide"]) == ("Second.", GUIDE)
    assert await rig.count(ParticipationEdit) == 2
    assert (await row_of(rig, state["id"]))["sent"] == 1


async def test_a_text_has_a_limit_and_is_never_changed(rig: Rig) -> None:
    taker = await begun(rig)
    refused = await write(taker, "ä" * 301)
    assert code_of(refused) == (413, "source_too_large")
    assert refused.json()["message"] == "The text has 301 characters; at most 300 are allowed. Shorten it."
    hostile = "<script>alert(1)</script> $\\href{javascript:1}{x}$\n" + "🙂" * 200
    assert (await write(taker, hostile)).status_code == 200
    assert (await taker.open(TEXT))["draft"]["source"] == hostile
    assert code_of(await write(taker, "\0", 2)) == (422, "invalid_input")


async def test_an_empty_text_is_no_answer(rig: Rig) -> None:
    taker = await begun(rig)
    await write(taker, " \n\t ")
    ended = await finish(taker)
    row = await row_of(rig, ended)
    assert (row["sent"], row["to_review"]) == (0, 0)


async def test_a_candidate_marks_lines_of_the_code_that_is_shown(rig: Rig) -> None:
    taker = await begun(rig)
    about = (await taker.open(TEXT))["question"]["about"]
    assert (about["position"], about["title"], about["source"], about["marked"]) == (CODE, "Add one", "", None)
    await taker.save("x = 1\n", 1)
    assert (await taker.open(TEXT))["question"]["about"]["source"] == "x = 1\n"
    sent = (await taker.send(SOURCE)).json()["id"]
    told = (await mark(taker, (3, 3), (1, 1), (2, 2))).json()["question"]["about"]
    assert (told["changed"], told["marked"]["lines"], told["marked"]["submission_id"]) == (False, [[1, 3]], sent)
    assert (await mark(taker, (2, 2), (2, 3))).json()["question"]["about"]["marked"]["lines"] == [[2, 3]]
    assert (await mark(taker)).json()["question"]["about"]["marked"] is None


async def test_the_reviewer_sees_the_marked_code_even_if_the_code_changes(rig: Rig) -> None:
    taker = await begun(rig)
    await taker.send(SOURCE)
    digest = (await taker.open(TEXT))["question"]["about"]["digest"]
    await mark(taker, (2, 2))
    await taker.send("def add_one(x):\n    return x + 1\n")
    about = (await taker.open(TEXT))["question"]["about"]
    assert (about["changed"], about["marked"]["source"], about["source"]) == (
        True,
        SOURCE,
        "def add_one(x):\n    return x + 1\n",
    )
    assert (await mark(taker, (1, 2), digest=digest)).status_code == 200
    ended = await finish(taker)
    told = (await rig.owner.http.get(f"{rig.path}/participations/{ended}/items/{TEXT}/text")).json()["about"]
    assert (told["changed"], told["marked"]["source"], told["marked"]["lines"]) == (True, SOURCE, [[1, 2]])


async def test_lines_that_are_not_there_and_code_that_was_not_shown_are_refused(rig: Rig) -> None:
    taker = await begun(rig)
    await taker.send(SOURCE)
    for lines in ((4, 4), (3, 2)):
        assert code_of(await mark(taker, lines)) == (422, "no_such_lines")
    assert code_of(await mark(taker, (0, 1))) == (422, "invalid_input")
    assert code_of(await mark(taker, (1, 1), digest="0" * 64)) == (409, "code_changed")
    body = {"digest": "0" * 64, "lines": [[1, 1]]}
    refused = await taker.http.put(f"/api/participation/items/{CHOICE}/marked-lines", json=body)
    assert code_of(refused) == (409, "not_about_code")
    refused = await taker.http.put(f"/api/participation/items/{CODE}/marked-lines", json=body)
    assert code_of(refused) == (409, "other_kind")
    assert code_of(await mark(taker, *[(1, 1)] * 51)) == (422, "invalid_input")


async def test_marks_and_texts_do_not_overwrite_each_other(rig: Rig) -> None:
    taker = await begun(rig)
    await taker.send(SOURCE)
    await mark(taker, (1, 1))
    await write(taker, "Because.")
    await mark(taker, (2, 2))
    told = await taker.open(TEXT)
    assert (told["draft"]["source"], told["draft"]["revision"]) == ("Because.", 1)
    assert told["question"]["about"]["marked"]["lines"] == [[2, 2]]


async def test_a_candidate_is_told_that_a_text_waits_for_its_review(rig: Rig) -> None:
    taker = await begun(rig)
    await write(taker, "Because.")
    running = (await taker.state())["sections"][1]["items"][2]
    assert (running["sent"], running["awaits_review"], running["score"]) == (1, False, None)
    ended = await finish(taker)
    waiting = (await taker.state())["sections"][1]["items"][2]
    assert (waiting["awaits_review"], waiting["score"]) == (True, None)
    assert (await grade(rig, ended, 15)).status_code == 201
    graded = (await taker.state())["sections"][1]["items"][2]
    assert (graded["awaits_review"], graded["score"]) == (False, 15)
    assert "Names the mask" not in str(await taker.state())


async def test_questions_are_drawn_like_other_items(rig: Rig) -> None:
    sections = three_questions()
    sections[1]["draw"] = 1
    sections[1]["items"] = sections[1]["items"][:2]
    await rig.assess(sections=sections)
    taker = await rig.start((await rig.invite())["token"])
    (drawn,) = (await taker.state())["sections"][1]["items"]
    assert (drawn["kind"], drawn["title"] in ("Precision", "Learning rate")) == ("question", True)


async def test_an_assessment_can_have_many_questions(rig: Rig) -> None:
    many = three_questions()[1]["items"][0]
    sections = [
        {
            "key": f"s{number}",
            "title": f"S{number}",
            "items": [
                {**many, "key": name, "choices": [{**many["choices"][0], "name": name}]}
                for name in (f"q{number}-{place}" for place in range(40))
            ],
        }
        for number in range(2)
    ]
    await rig.assess(sections=sections)
    taker = await rig.start((await rig.invite())["token"])
    assert {(await taker.open(position))["kind"] for position in range(1, 81)} == {"question"}


async def test_texts_and_marks_are_erased_with_the_candidate(rig: Rig) -> None:
    await rig.assess(sections=three_questions(), retention_days=1)
    taker = await begun(rig)
    await taker.send(SOURCE)
    await mark(taker, (1, 1))
    await write(taker, "Because.")
    await finish(taker)
    assert await rig.count(ParticipationDraft) == 1
    rig.clock.go(days=2)
    await erase_old(rig.service.state.db)
    assert await rig.count(ParticipationDraft) == 0
