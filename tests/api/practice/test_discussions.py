"""Tests the discussion of a challenge: who may read and write, votes, replies, limits, editing and deleting."""

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import func, select, update

from api.kit.http.pagination import encode_cursor
from api.practice.discussions import service as discussions
from api.practice.discussions.models import Comment
from api.practice.discussions.schemas import COMMENT_LENGTH
from api.practice.running_interviews.models import InterviewItem
from tests.api.practice.discussion_rig import CHALLENGE, HERE, SPAM, reader, tell, threads, told, write
from tests.api.running_service import Person, Service

pytestmark = pytest.mark.anyio
AS_JSON = {"Content-Type": "application/json"}


async def test_the_discussion_opens_with_the_editorial_and_looks_absent_before(service: Service) -> None:
    ada, bob = await reader(service, "ada"), await service.person("bob")
    made = await write(ada, "  Why `+ 1`?\n")
    assert (made["text"], made["name"], made["mine"], made["votes"], made["state"]) == (
        "Why `+ 1`?",
        "ada",
        True,
        0,
        "shown",
    )
    one = f"/api/comments/{made['id']}"
    assert told(await bob.http.get(HERE)) == (403, "editorial_closed")
    assert told(await tell(bob, "Let me in")) == (403, "editorial_closed")
    assert told(await bob.http.put(f"{one}/vote")) == (404, "comment_not_found")
    report = {**SPAM, "target": f"add-one/{made['id']}"}
    assert told(await bob.http.post("/api/reports", json=report)) == (404, "target_not_found")
    assert (await service.client().get(HERE)).status_code == 401
    await bob.http.post(f"{CHALLENGE}/giving-up")
    assert [each["text"] for each in await threads(bob)] == ["Why `+ 1`?"]
    assert (await bob.http.put(f"{one}/vote")).status_code == 200
    assert (await bob.http.get("/api/challenges/nowhere/comments")).status_code == 404
    assert "example.org" not in (await bob.http.get(HERE)).text


async def test_guests_who_gave_up_read_but_do_not_write_or_vote(service: Service) -> None:
    ada, guest = await reader(service, "ada"), Person(service.client())
    made = await write(ada, "Read me")
    await guest.http.post("/api/guest")
    assert told(await guest.http.get(HERE)) == (403, "editorial_closed")
    await guest.http.post(f"{CHALLENGE}/giving-up")
    assert [each["text"] for each in await threads(guest)] == ["Read me"]
    assert told(await tell(guest, "Hello")) == (403, "account_required")
    assert told(await guest.http.put(f"/api/comments/{made['id']}/vote")) == (403, "account_required")


async def test_the_running_mock_interview_closes_the_discussion(service: Service) -> None:
    ada = await reader(service, "ada")
    made = await write(ada, "Before the interview")
    interview = (await ada.http.post("/api/interviews", json={"level": "junior", "minutes": 30})).json()["id"]
    async with service.state.db.write() as session:
        first = select(func.min(InterviewItem.position)).where(InterviewItem.interview_id == interview)
        asked = update(InterviewItem).where(InterviewItem.interview_id == interview)
        asked = asked.where(InterviewItem.position == first.scalar_subquery())
        await session.execute(asked.values(kind="challenge", name="add-one"))
    closed = (403, "asked_in_interview")
    one = f"/api/comments/{made['id']}"
    assert told(await ada.http.get(HERE)) == closed
    assert told(await tell(ada, "During it")) == closed
    assert told(await ada.http.put(one, json={"text": "During it"})) == closed
    assert told(await ada.http.put(f"{one}/vote")) == closed
    await ada.http.post(f"/api/interviews/{interview}/finish")
    assert len(await threads(ada)) == 1


async def test_votes_count_once_and_sort_the_list(service: Service) -> None:
    ada, bob, eve = await reader(service, "ada"), await reader(service, "bob"), await reader(service, "eve")
    first, second, third = [(await write(ada, text))["id"] for text in ("first", "second", "third")]
    ways = [bob.http.put(f"/api/comments/{first}/vote") for _ in range(4)]
    assert {(each.status_code, each.json()["votes"]) for each in await asyncio.gather(*ways)} == {(200, 1)}
    assert (await eve.http.put(f"/api/comments/{first}/vote")).json() == {"votes": 2, "voted": True}
    await eve.http.put(f"/api/comments/{second}/vote")
    assert told(await ada.http.put(f"/api/comments/{first}/vote")) == (409, "own_content")
    assert [(each["id"], each["votes"], each["voted"]) for each in await threads(bob)] == [
        (first, 2, True),
        (second, 1, False),
        (third, 0, False),
    ]
    assert [each["id"] for each in await threads(bob, sort="newest")] == [third, second, first]
    for sort in ("votes", "newest"):
        page = (await bob.http.get(HERE, params={"limit": 2, "sort": sort})).json()
        more = {"limit": 2, "sort": sort, "cursor": page["next_cursor"]}
        rest = (await bob.http.get(HERE, params=more)).json()
        assert {each["id"] for each in page["items"] + rest["items"]} == {first, second, third}
        assert (len(page["items"]), rest["next_cursor"]) == (2, None)
    assert (await bob.http.delete(f"/api/comments/{first}/vote")).json() == {"votes": 1, "voted": False}
    assert (await bob.http.delete(f"/api/comments/{first}/vote")).json() == {"votes": 1, "voted": False}


async def test_cursor_of_another_order_or_a_huge_number_is_refused(service: Service) -> None:
    ada = await reader(service, "ada")
    for text in ("one", "two"):
        await write(ada, text)
    newest = (await ada.http.get(HERE, params={"limit": 1, "sort": "newest"})).json()["next_cursor"]
    for cursor in (newest, encode_cursor(10**30, "x"), encode_cursor(-1, "x"), "!"):
        assert told(await ada.http.get(HERE, params={"cursor": cursor})) == (422, "bad_cursor"), cursor


async def test_replies_are_one_level_deep_and_oldest_first(service: Service) -> None:
    ada, bob = await reader(service, "ada"), await reader(service, "bob")
    first = await write(ada, "A question")
    replies = [await write(bob, "An answer", first["id"]), await write(ada, "Thanks", first["id"])]
    assert [each["parent_id"] for each in replies] == [first["id"]] * 2
    assert told(await tell(ada, "Deeper", replies[0]["id"])) == (404, "comment_not_found")
    assert told(await tell(ada, "To nothing", "0" * 32)) == (404, "comment_not_found")
    [thread] = await threads(bob)
    assert [(each["text"], each["name"]) for each in thread["replies"]] == [("An answer", "bob"), ("Thanks", "ada")]


async def test_reply_to_the_comment_of_another_challenge_is_refused(service: Service) -> None:
    ada = await reader(service, "ada")
    made = await write(ada, "Here")
    async with service.state.db.write() as session:
        await session.execute(update(Comment).values(slug="another"))
    assert told(await tell(ada, "There", made["id"])) == (404, "comment_not_found")


@pytest.mark.parametrize("text", ["", "  \n\t ", "x" * (COMMENT_LENGTH + 1), "a\0b", "\ud800", 7, None])
async def test_text_is_neither_empty_nor_huge_nor_broken(service: Service, text: Any) -> None:
    ada = await reader(service, "ada")
    made = await write(ada, "Right")
    assert (await ada.http.post(HERE, content=_json(text), headers=AS_JSON)).status_code == 422
    edited = await ada.http.put(f"/api/comments/{made['id']}", content=_json(text), headers=AS_JSON)
    assert edited.status_code == 422
    assert [each["text"] for each in await threads(ada)] == ["Right"]


def _json(text: Any) -> bytes:
    """Return a body with this text. httpx would refuse to encode a lone surrogate."""
    return json.dumps({"text": text}).encode()


async def test_hostile_text_comes_back_as_it_was_sent(service: Service) -> None:
    ada = await reader(service, "ada")
    for text in ("<script>alert(1)</script>", "'; DROP TABLE comment; --", "x" * COMMENT_LENGTH, "\u202egnp.exe"):
        assert (await write(ada, text))["text"] == text


async def test_comments_an_hour_are_few_and_deleted_ones_count(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discussions, "AN_HOUR", 2)
    ada, bob = await reader(service, "ada"), await reader(service, "bob")
    first = await write(ada, "one")
    await ada.http.delete(f"/api/comments/{first['id']}")
    answers = await asyncio.gather(*(tell(ada, f"more {number}") for number in range(3)))
    assert sorted(each.status_code for each in answers) == [201, 429, 429]
    assert int(next(each for each in answers if each.status_code == 429).headers["Retry-After"]) > 0
    assert (await tell(bob, "mine")).status_code == 201


async def test_replies_to_a_comment_are_limited(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discussions, "REPLIES", 1)
    ada = await reader(service, "ada")
    first = await write(ada, "one")
    await write(ada, "reply", first["id"])
    assert told(await tell(ada, "another", first["id"])) == (409, "thread_full")


async def test_sent_twice_is_stored_once(service: Service) -> None:
    ada, bob = await reader(service, "ada"), await reader(service, "bob")
    answers = await asyncio.gather(*(tell(ada, "Once", key="k-1") for _ in range(4)))
    assert sorted(each.status_code for each in answers) == [200, 200, 200, 201]
    assert len({each.json()["id"] for each in answers}) == len(await threads(ada)) == 1
    assert told(await tell(ada, "Something else", key="k-1")) == (409, "idempotency_key_reused")
    assert (await tell(bob, "Once", key="k-1")).status_code == 201, "a key belongs to an account"
    await ada.http.put(f"/api/comments/{answers[0].json()['id']}", json={"text": "Once, edited"})
    assert (await tell(ada, "Once", key="k-1")).json()["text"] == "Once, edited"


async def test_only_the_author_edits_and_deletes(service: Service) -> None:
    ada, bob, root = await reader(service, "ada"), await reader(service, "bob"), await service.admin()
    made = await write(ada, "Frist")
    one = f"/api/comments/{made['id']}"
    for other in (bob, root):
        assert told(await other.http.put(one, json={"text": "Mine now"})) == (404, "comment_not_found")
        assert told(await other.http.delete(one)) == (404, "comment_not_found")
    same = (await ada.http.put(one, json={"text": "Frist"})).json()
    assert same["edited_at"] is None, "nothing changed"
    edited = (await ada.http.put(one, json={"text": "First"})).json()
    assert (edited["text"], edited["edited_at"] is not None) == ("First", True)
    assert (await ada.http.delete(one)).status_code == 204
    assert told(await ada.http.delete(one)) == (404, "comment_not_found")
    assert told(await ada.http.put(one, json={"text": "Back"})) == (404, "comment_not_found")
    assert await threads(bob) == []


async def test_a_deleted_comment_leaves_its_replies_in_place(service: Service) -> None:
    ada, bob = await reader(service, "ada"), await reader(service, "bob")
    first = await write(ada, "Regretted")
    await bob.http.put(f"/api/comments/{first['id']}/vote")
    await write(bob, "A reply that stays", first["id"])
    await ada.http.delete(f"/api/comments/{first['id']}")
    [thread] = await threads(bob)
    assert (thread["state"], thread["text"], thread["name"], thread["votes"]) == ("deleted", "", "", 0)
    assert [each["text"] for each in thread["replies"]] == ["A reply that stays"]
    assert told(await tell(ada, "Another", first["id"])) == (404, "comment_not_found")
