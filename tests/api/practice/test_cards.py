"""Tests revision with cards over HTTP: due cards, grades that count once, undoing, suspending, and days in the learner's time
zone.
"""

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from sqlalchemy import select, update

from api.practice.cards import deck
from api.practice.cards.models import CardState
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.topic_folders import QUIZ, write_topic, write_track

pytestmark = pytest.mark.anyio
FIRST = "adding:answer"
DAY_S = 86_400
ADA = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}


@pytest.fixture
async def service(home: Path) -> Any:
    """The service with one topic, which contains an answer, two cards, two pitfalls, and a quiz."""
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    write_track(home / "challenges")
    async with running(settings_in(home)) as service:
        yield service


async def told(client: httpx.AsyncClient, **wanted: Any) -> dict[str, Any]:
    answer = await client.get("/api/cards", params=wanted)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def graded(
    client: httpx.AsyncClient, card: str = FIRST, rating: str = "good", version: int = 0
) -> httpx.Response:
    return await client.post("/api/cards/reviews", json={"card": card, "rating": rating, "version": version})


async def answered(client: httpx.AsyncClient, question: str, answer: Any) -> None:
    attempt = (await client.post("/api/topics/adding/attempts")).json()
    body = {"question": question, "answer": answer}
    assert (await client.post(f"/api/attempts/{attempt['id']}/answers", json=body)).status_code == 201


async def turn_back(service: Service, by: timedelta) -> None:
    """Move the stored times of all cards back by this much."""
    async with service.state.db.write() as session:
        for row in await session.scalars(select(CardState)):
            row.due -= by
            row.last_review = row.last_review and row.last_review - by
            row.learnt_at = row.learnt_at and row.learnt_at - by


async def test_a_new_card_is_graded_and_comes_back_by_the_clock(service: Service) -> None:
    person = (await service.person()).http
    first = await told(person)
    assert (first["due"], first["new"], first["learnt"], first["undo"]) == (0, 5, 0, None)
    card = first["cards"][0]
    assert (card["id"], card["stage"], card["front"], card["back"]) == (
        FIRST, "new", "How does one add?", "Use the plus sign.",
    )  # fmt: skip
    assert 0 < card["intervals"]["again"] < card["intervals"]["hard"] < DAY_S <= card["intervals"]["good"]
    assert card["intervals"]["good"] < card["intervals"]["easy"]
    made = (await graded(person)).json()
    after = await told(person)
    assert FIRST not in [each["id"] for each in after["cards"]]
    assert (after["new"], after["learnt"], after["done"], after["undo"]) == (4, 1, 1, made["id"])
    days = card["intervals"]["good"] // DAY_S
    assert [count for count in after["forecast"] if count] == [1]
    assert after["forecast"].index(1) == days
    await turn_back(service, timedelta(days=days))
    again = await told(person)
    assert (again["due"], again["cards"][0]["id"], again["cards"][0]["stage"]) == (1, FIRST, "review")
    assert again["cards"][0]["intervals"]["good"] > card["intervals"]["good"], "what was remembered comes back later"


async def test_what_was_forgotten_waits_for_minutes_or_comes_at_once(service: Service) -> None:
    person = (await service.person()).http
    await graded(person, rating="again")
    waiting = await told(person)
    assert (waiting["waiting"], waiting["due"]) == (1, 0)
    assert (await told(person, ahead=True))["cards"][0]["id"] == FIRST
    await turn_back(service, timedelta(minutes=10))
    assert (await told(person))["cards"][0]["stage"] == "learning"


async def test_a_grade_sent_twice_counts_once_and_an_old_one_not_at_all(service: Service) -> None:
    person = (await service.person()).http
    first, second = await graded(person), await graded(person)
    assert first.json() == second.json()
    assert (await told(person))["done"] == 1
    other = await graded(person, rating="easy")
    assert (other.status_code, other.json()["code"]) == (409, "card_changed")
    assert (await graded(person, rating="easy", version=1)).json()["version"] == 2


async def test_the_last_grade_can_be_taken_back(service: Service) -> None:
    person, other = (await service.person()).http, (await service.person("bob")).http
    before = await told(person)
    first = (await graded(person)).json()["id"]
    second = (await graded(person, "adding:pitfall:" + _pitfall(before), "again")).json()["id"]
    refused = await person.delete(f"/api/cards/reviews/{first}")
    assert (refused.status_code, refused.json()["code"]) == (409, "cannot_undo")
    assert (await other.delete(f"/api/cards/reviews/{second}")).status_code == 404
    assert (await person.delete(f"/api/cards/reviews/{second}")).status_code == 204
    assert (await person.delete(f"/api/cards/reviews/{second}")).status_code == 404
    assert (await person.delete(f"/api/cards/reviews/{first}")).status_code == 204
    after = await told(person)
    assert (after["learnt"], after["done"], after["new"]) == (0, 0, 5)
    stale = await graded(person)
    assert stale.status_code == 409, "a grade that was taken back is not counted when it is sent again"
    assert after["cards"][0]["version"] == 2


def _pitfall(told: dict[str, Any]) -> str:
    from grader.content.quizzes.marking import part_id

    assert told["new"] == 5
    return part_id("Strings")


async def test_new_cards_of_a_day_are_limited_by_the_account(service: Service) -> None:
    person = (await service.person()).http
    assert (await person.put("/api/cards/settings", json={"new_per_day": 2})).json() == {"new_per_day": 2}
    assert (await told(person))["new"] == 2
    await graded(person)
    limited = await told(person)
    assert (limited["new"], limited["unlearnt"], limited["new_per_day"]) == (1, 4, 2)
    await turn_back(service, timedelta(days=1))
    assert (await told(person))["new"] == 2
    assert (await person.put("/api/cards/settings", json={"new_per_day": 101})).status_code == 422


async def test_quiz_cards_are_shown_only_once_their_question_was_answered(service: Service) -> None:
    person = (await service.person()).http
    everything = await person.get("/api/cards")
    assert "quiz" not in everything.text
    refused = await graded(person, "adding:quiz:how-much")
    assert (refused.status_code, refused.json()["code"]) == (404, "card_not_found")
    await answered(person, "how-much", 11)
    await answered(person, "shape", "(3,)")
    missed = await told(person, deck="missed")
    assert [(each["id"], each["back"]) for each in missed["cards"]] == [("adding:quiz:how-much", "**2**\n\nTwo")]
    assert (await told(person))["unlearnt"] == 7
    assert (await graded(person, "adding:quiz:shape")).status_code == 201


async def test_decks_of_a_section_and_a_track(service: Service) -> None:
    person = (await service.person()).http
    assert (await told(person, deck="section", name="basics"))["new"] == 5
    assert (await told(person, deck="section", name="elsewhere"))["new"] == 0
    assert (await told(person, deck="track", name="first-steps"))["new"] == 5
    assert (await person.get("/api/cards", params={"deck": "track", "name": "none"})).json()[
        "code"
    ] == "track_not_found"


async def test_cards_of_a_topic_are_added_once_and_come_first(service: Service, home: Path) -> None:
    write_topic(home / "challenges", "counting")
    service.state.store.reload()
    person = (await service.person()).http
    assert (await told(person))["cards"][0]["topic"] == "adding"
    assert (await person.get("/api/cards/topics/counting")).json() == {"cards": 5, "mine": 0}
    for _ in range(2):
        assert (await person.put("/api/cards/topics/counting")).json() == {"cards": 5, "mine": 5}
    assert (await told(person))["cards"][0]["topic"] == "counting"
    assert (await told(person, deck="mine"))["unlearnt"] == 5
    assert (await person.put("/api/cards/topics/none")).status_code == 404


async def test_a_card_set_aside_is_not_asked_until_it_is_brought_back(service: Service) -> None:
    person = (await service.person()).http
    assert (await person.put("/api/cards/suspended", json={"card": FIRST, "suspended": True})).status_code == 204
    without = await told(person)
    assert (without["new"], without["suspended"], without["cards"][0]["id"] != FIRST) == (4, 1, True)
    listed = (await person.get("/api/cards/suspended")).json()
    assert [(each["id"], each["front"]) for each in listed["items"]] == [(FIRST, "How does one add?")]
    await person.put("/api/cards/suspended", json={"card": FIRST, "suspended": False})
    assert (await told(person))["new"] == 5
    unknown = await person.put("/api/cards/suspended", json={"card": "nothing", "suspended": True})
    assert unknown.json()["code"] == "card_not_found"


async def test_suspended_cards_come_in_pages(service: Service) -> None:
    person = (await service.person()).http
    ids = [card["id"] for card in (await told(person))["cards"]]
    for card in ids:
        await person.put("/api/cards/suspended", json={"card": card, "suspended": True})
    first = (await person.get("/api/cards/suspended", params={"limit": 2})).json()
    rest = (await person.get("/api/cards/suspended", params={"cursor": first["next_cursor"]})).json()
    assert [each["id"] for each in (*first["items"], *rest["items"])] == sorted(ids)
    assert rest["next_cursor"] is None


async def test_cards_of_a_topic_that_vanished_are_kept_but_not_shown(service: Service, home: Path) -> None:
    person = (await service.person()).http
    await graded(person, rating="again")
    folder = home / "challenges" / "topics"
    (home / "challenges" / "tracks" / "first-steps.toml").unlink()
    folder.rename(home / "gone")
    service.state.store.reload()
    nothing = await told(person, ahead=True)
    assert (nothing["cards"], nothing["learnt"], nothing["waiting"]) == ([], 0, 0)
    (home / "gone").rename(folder)
    service.state.store.reload()
    assert (await told(person, ahead=True))["cards"][0]["id"] == FIRST


@pytest.mark.parametrize("offset", [0, 840, -720])
async def test_a_day_begins_where_the_learner_is(service: Service, offset: int) -> None:
    person = (await service.person()).http
    await graded(person)
    here = timezone(timedelta(minutes=offset))
    midnight = datetime.now(here).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    async with service.state.db.write() as session:
        await session.execute(update(CardState).values(state=2, due=midnight - timedelta(seconds=1)))
    assert (await told(person, offset=offset))["due"] == 1
    async with service.state.db.write() as session:
        await session.execute(update(CardState).values(due=midnight))
    assert (await told(person, offset=offset))["forecast"][:2] == [0, 1]
    assert (await person.get("/api/cards", params={"offset": 841})).status_code == 422


async def test_reviews_of_a_day_are_limited(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.practice.cards.service.REVIEWS_A_DAY", 1)
    person = (await service.person()).http
    await graded(person)
    refused = await graded(person, version=1)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")


async def test_signing_in_keeps_the_cards_of_both(service: Service) -> None:
    owner = service.client()
    await owner.post("/api/accounts", json=ADA)
    await graded(owner, rating="easy")
    await owner.put("/api/cards/settings", json={"new_per_day": 3})
    guest = service.client()
    await guest.post("/api/guest")
    first = (await told(guest))["cards"]
    await guest.put("/api/cards/settings", json={"new_per_day": 7})
    for card in first[:2]:
        assert (await graded(guest, card["id"], "again")).status_code == 201
    answer = await guest.post("/api/session", json={"email": ADA["email"], "password": ADA["password"]})
    assert answer.status_code == 200, answer.text
    both = await told(guest)
    assert (both["learnt"], both["waiting"], both["new_per_day"]) == (2, 1, 3)


async def test_no_key_of_an_unanswered_question_is_in_any_card(service: Service) -> None:
    person = (await service.person()).http
    await person.put("/api/cards/topics/adding")
    text = (await person.get("/api/cards")).text
    assert "SECRET" not in text
    assert "SECRET" in QUIZ


async def test_the_deck_is_made_once_for_each_catalogue(
    service: Service, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Mock(wraps=deck._cards_of)
    monkeypatch.setattr(deck, "_cards_of", made)
    person = (await service.person()).http
    before = [(await told(person))["cards"][0]["back"] for _ in range(3)]
    info = home / "challenges" / "topics" / "basics" / "adding" / "topic.toml"
    info.write_text(info.read_text().replace("Use the plus sign.", "Add them up."))
    service.state.store.reload()
    after = [(await told(person))["cards"][0]["back"] for _ in range(3)]
    assert (before, after) == (["Use the plus sign."] * 3, ["Add them up."] * 3)
    assert made.call_count == 2
