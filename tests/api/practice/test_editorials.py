"""Tests editorials and shared answers over HTTP. Both are closed until the challenge is solved or given up. A shared answer is
shown only as its owner allows.
"""

from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import now
from api.practice.editorials.models import GivingUp
from api.practice.editorials.service import earns_points
from api.practice.leaderboards.models import Solve
from api.practice.sharing import service as sharing
from grader.contract.job import Verdict
from tests.api.running_service import Person, Service

pytestmark = pytest.mark.anyio
HERE = "/api/challenges/add-one"
SECRETS = ("SECRET-EDITORIAL", "SECRET-REFERENCE")


async def sent(service: Service, person: Person, source: str, verdict: Verdict = Verdict.AC) -> str:
    """Send an answer and store this verdict for it. Return the submission's id."""
    body = {"slug": "add-one", "kind": "submit", "source": source}
    identifier = str((await person.http.post("/api/submissions", json=body)).json()["id"])
    async with service.state.db.write() as session:
        judged = update(Judging).where(Judging.submission_id == identifier)
        await session.execute(judged.values(status="judged", verdict=verdict, score=4))
    return identifier


async def way(client: httpx.AsyncClient) -> dict[str, Any]:
    return dict((await client.get(f"{HERE}/way")).json())


async def with_points(service: Service) -> list[str]:
    async with service.state.db.read() as session:
        return list(await session.scalars(select(Submission.id).where(earns_points())))


async def test_editorial_opens_by_solving(service: Service) -> None:
    ada = await service.person()
    await sent(service, ada, "wrong", Verdict.WA)
    closed = await ada.http.get(f"{HERE}/editorial")
    assert (closed.status_code, closed.json()["code"]) == (403, "editorial_closed")
    assert not [secret for secret in SECRETS if secret in closed.text]
    first = await sent(service, ada, "right")
    opened = (await ada.http.get(f"{HERE}/editorial")).json()
    assert SECRETS[0] in opened["editorial"]
    assert SECRETS[1] in opened["reference"]
    assert opened["mistakes"] == [{"mistake": "Adds two to a large number.", "test": "A large number works too."}]
    found = await way(ada.http)
    assert (found["open"], found["gave_up_at"]) == (True, None)
    assert (await ada.http.post(f"{HERE}/giving-up")).json()["gave_up_at"] is None, "there is nothing to give up"
    assert first in await with_points(service)


async def test_giving_up_opens_it_and_what_is_sent_later_earns_no_points(service: Service) -> None:
    ada, bob = await service.person(), await service.person("bob")
    before = await sent(service, ada, "before", Verdict.WA)
    gave_up = (await ada.http.post(f"{HERE}/giving-up")).json()["gave_up_at"]
    assert gave_up is not None
    assert (await ada.http.post(f"{HERE}/giving-up")).json()["gave_up_at"] == gave_up, "the first time counts"
    assert (await ada.http.get(f"{HERE}/editorial")).status_code == 200
    after, of_bob = await sent(service, ada, "after"), await sent(service, bob, "after")
    assert await with_points(service) == [before, of_bob]
    assert (await way(ada.http))["solved_at"] is not None, "it is a solve all the same"
    assert after


@pytest.mark.parametrize(("gives_up", "points"), [(True, 0), (False, 10)])
async def test_solve_after_giving_up_is_one_without_points(service: Service, gives_up: bool, points: int) -> None:
    ada, node = await service.person(), await service.node()
    if gives_up:
        await ada.http.post(f"{HERE}/giving-up")
    identifier = (await ada.send())["id"]
    await node.ready()
    await node.judge(await node.take())
    assert [event["event"] for event in await ada.events(identifier)][-1] == "judged"
    async with service.state.db.read() as session:
        assert [(solve.slug, solve.points) for solve in await session.scalars(select(Solve))] == [("add-one", points)]


async def test_samples_alone_open_nothing(service: Service) -> None:
    ada = await service.person()
    identifier = await sent(service, ada, "x")
    async with service.state.db.write() as session:
        await session.execute(update(Submission).where(Submission.id == identifier).values(kind="run"))
    assert (await ada.http.get(f"{HERE}/editorial")).status_code == 403
    assert (await ada.http.put(f"/api/submissions/{identifier}/share", json={"listed": True})).status_code == 409


async def test_hints_are_counted_and_never_fewer(service: Service) -> None:
    ada = await service.person()
    counts = []
    for count in (1, 2, 1, 50):
        counts.append((await ada.http.post(f"{HERE}/hints", json={"count": count})).json()["hints"])
    assert counts == [1, 2, 2, 2], "the challenge has two"
    assert (await ada.http.post(f"{HERE}/hints", json={"count": 0})).status_code == 422


async def test_first_giving_up_and_most_hints_stay_when_a_guest_signs_in(service: Service) -> None:
    ada, guest = await service.person(), service.client()
    await guest.post("/api/guest")
    for client, hints in ((guest, 2), (ada.http, 1)):
        await client.post(f"{HERE}/giving-up")
        await client.post(f"{HERE}/hints", json={"count": hints})
    first = (await way(guest))["gave_up_at"]
    await guest.post("/api/session", json={"email": ada.email, "password": "ten characters"})
    found = await way(guest)
    assert (found["gave_up_at"], found["hints"]) == (first, 2)


async def test_answers_of_others_are_shown_after_solving_and_only_as_their_owners_want(service: Service) -> None:
    ada, bob = await service.person(), await service.person("bob")
    listed, by_link = await sent(service, ada, "x = 'listed'"), await sent(service, ada, "x = 'by link'")
    for identifier, everybody in ((listed, True), (by_link, False)):
        answer = await ada.http.put(f"/api/submissions/{identifier}/share", json={"listed": everybody})
        assert (answer.status_code, answer.json()["listed"]) == (200, everybody)
    refused = await bob.http.get(f"{HERE}/answers")
    assert (refused.status_code, refused.json()["code"]) == (403, "editorial_closed")
    await bob.http.post(f"{HERE}/giving-up")
    items = (await bob.http.get(f"{HERE}/answers")).json()["items"]
    assert [item["name"] for item in items] == ["ada"]
    assert (await bob.http.get(f"/api/shared/{items[0]['id']}")).json()["source"] == "x = 'listed'"
    link = (await ada.http.get(f"/api/submissions/{by_link}/share")).json()["id"]
    seen = (await service.client().get(f"/api/shared/{link}")).json()
    assert (seen["source"], seen["name"], seen["title"]) == ("x = 'by link'", "ada", "Add one")
    assert "example.org" not in str(seen)


async def test_shared_answer_stands_under_the_name_that_its_owner_shows(service: Service) -> None:
    ada = await service.person()
    path = f"/api/submissions/{await sent(service, ada, 'x')}/share"
    link = (await ada.http.put(path, json={"listed": True})).json()["id"]
    for shown, told in (("Countess", "Countess"), ("", "ada")):
        await ada.http.put("/api/me/listing", json={"listed": True, "name": shown})
        assert (await service.client().get(f"/api/shared/{link}")).json()["name"] == told
        assert (await ada.http.get(f"{HERE}/answers")).json()["items"][0]["name"] == told


async def test_link_that_was_taken_back_stays_dead(service: Service) -> None:
    ada = await service.person()
    path = f"/api/submissions/{await sent(service, ada, 'x')}/share"
    link = (await ada.http.put(path, json={"listed": True})).json()["id"]
    assert (await ada.http.delete(path)).status_code == 204
    gone = await service.client().get(f"/api/shared/{link}")
    assert (gone.status_code, gone.json()["code"]) == (404, "shared_not_found")
    assert (await ada.http.put(path, json={"listed": False})).json()["id"] != link


async def test_rejudging_to_a_failure_takes_a_shared_answer_away(service: Service) -> None:
    ada = await service.person()
    identifier = await sent(service, ada, "x")
    link = (await ada.http.put(f"/api/submissions/{identifier}/share", json={"listed": True})).json()["id"]
    async with service.state.db.write() as session:
        await session.execute(update(Judging).where(Judging.submission_id == identifier).values(verdict="WA"))
    assert (await service.client().get(f"/api/shared/{link}")).status_code == 404


async def test_only_the_owner_shares_and_only_so_much(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, root = await service.person(), await service.admin()
    first, second = await sent(service, ada, "1"), await sent(service, ada, "2")
    assert (await root.http.put(f"/api/submissions/{first}/share", json={"listed": True})).status_code == 404
    wrong = await sent(service, ada, "3", Verdict.WA)
    refused = await ada.http.put(f"/api/submissions/{wrong}/share", json={"listed": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_accepted")
    monkeypatch.setattr(sharing, "SHARED_PER_CHALLENGE", 1)
    assert (await ada.http.put(f"/api/submissions/{first}/share", json={"listed": True})).status_code == 200
    assert (await ada.http.put(f"/api/submissions/{first}/share", json={"listed": False})).status_code == 200
    refused = await ada.http.put(f"/api/submissions/{second}/share", json={"listed": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_shared")


async def test_shared_answers_come_in_pages(service: Service) -> None:
    ada = await service.person()
    for number in range(3):
        identifier = await sent(service, ada, str(number))
        await ada.http.put(f"/api/submissions/{identifier}/share", json={"listed": True})
    page = (await ada.http.get(f"{HERE}/answers?limit=2")).json()
    rest = (await ada.http.get(f"{HERE}/answers", params={"limit": 2, "cursor": page["next_cursor"]})).json()
    assert (len(page["items"]), len(rest["items"]), rest["next_cursor"]) == (2, 1, None)


async def test_giving_up_of_another_account_or_challenge_costs_nothing(service: Service) -> None:
    ada, bob = await service.person(), await service.person("bob")
    async with service.state.db.write() as session:
        early = now() - timedelta(days=1)
        account = (await ada.http.get("/api/me")).json()["id"]
        session.add(GivingUp(account_id=account, slug="another", at=early))
    assert await with_points(service) == []
    both = [await sent(service, ada, "x"), await sent(service, bob, "x")]
    assert await with_points(service) == both


async def shared(service: Service, owner: Person, source: str) -> str:
    """Share an accepted answer and list it. Return the ID of its shared page."""
    identifier = await sent(service, owner, source)
    return str((await owner.http.put(f"/api/submissions/{identifier}/share", json={"listed": True})).json()["id"])


async def test_votes_for_shared_answers_count_once_and_sort_the_list(service: Service) -> None:
    ada, bob, eve = await service.person(), await service.person("bob"), await service.person("eve")
    first, second = await shared(service, ada, "1"), await shared(service, ada, "2")
    vote = f"/api/shared/{first}/vote"
    refused = await bob.http.put(vote)
    assert (refused.status_code, refused.json()["code"]) == (403, "editorial_closed")
    assert (await bob.http.get(f"/api/shared/{first}")).json()["votable"] is False
    for person in (bob, eve):
        await person.http.post(f"{HERE}/giving-up")
        assert (await person.http.get(f"/api/shared/{first}")).json()["votable"] is True
    for _ in range(2):
        assert (await bob.http.put(vote)).json() == {"votes": 1, "voted": True}
    assert (await eve.http.put(vote)).json() == {"votes": 2, "voted": True}
    own = await ada.http.put(vote)
    assert (own.status_code, own.json()["code"]) == (409, "own_content")
    assert (await ada.http.get(f"/api/shared/{first}")).json()["votable"] is False
    for sort, expected in (
        ("votes", [(first, 2, True), (second, 0, False)]),
        ("newest", [(second, 0, False), (first, 2, True)]),
    ):
        items = (await bob.http.get(f"{HERE}/answers", params={"sort": sort})).json()["items"]
        assert [(each["id"], each["votes"], each["voted"]) for each in items] == expected
    page = (await bob.http.get(f"{HERE}/answers?sort=votes&limit=1")).json()
    more = {"sort": "votes", "limit": 1, "cursor": page["next_cursor"]}
    rest = (await bob.http.get(f"{HERE}/answers", params=more)).json()
    assert ([each["id"] for each in rest["items"]], rest["next_cursor"]) == ([second], None)
    assert (await bob.http.delete(vote)).json() == {"votes": 1, "voted": False}
    export = (await ada.http.get("/api/me/export")).json()
    assert export["shared_answer_vote"] == [], "the votes of others are not the owner's data"


async def test_a_moderator_hides_a_reported_answer_and_its_owner_cannot_undo_that(service: Service) -> None:
    ada, bob, root = await service.person(), await service.person("bob"), await service.admin()
    link = await shared(service, ada, "x = 'insult'")
    report = {"about": "answer", "target": f"add-one/{link}", "kind": "offensive", "words": "The comment insults."}
    assert (await bob.http.post("/api/reports", json=report)).status_code == 201
    content = (await root.http.get("/api/admin/reports?kind=error")).json()["items"][0]["content"]
    share = f"/api/submissions/{content['submission_id']}/share"
    hidden = f"/api/admin/shared/{content['id']}/hidden"
    assert (await root.http.put(hidden, json={"hidden": True})).status_code == 204
    assert (await service.client().get(f"/api/shared/{link}")).status_code == 404
    assert (await root.http.get(f"{HERE}/answers")).json()["items"] == []
    assert (await ada.http.get(share)).json()["hidden"] is True
    await ada.http.delete(share)
    assert (await ada.http.put(share, json={"listed": True})).json()["id"] == link, "it is not a new link"
    assert (await service.client().get(f"/api/shared/{link}")).status_code == 404
    assert (await root.http.put(hidden, json={"hidden": False})).status_code == 204
    assert (await service.client().get(f"/api/shared/{link}")).status_code == 200
    log = (await root.http.get(f"/api/admin/audit?thing={link}")).json()["items"]
    assert [each["action"] for each in log] == ["shared.restore", "shared.hide"]
