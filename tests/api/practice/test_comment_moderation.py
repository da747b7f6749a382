"""Tests how comments are reported, hidden and restored, and what is left of them when their author's account is deleted."""

import pytest
from sqlalchemy import func, select

from api.kit.db.database import Table
from api.practice.discussions import service as discussions
from api.practice.votes.models import CommentVote
from tests.api.practice.discussion_rig import SPAM, reader, tell, threads, told, write
from tests.api.running_service import Service

pytestmark = pytest.mark.anyio


async def test_a_report_reaches_the_desk_and_a_moderator_hides_and_restores(service: Service) -> None:
    ada, bob, root = await reader(service, "ada"), await reader(service, "bob"), await service.admin()
    spam = await write(ada, "Buy handbags")
    await write(bob, "No", spam["id"])
    target = f"add-one/{spam['id']}"
    wrong = await bob.http.post("/api/reports", json={**SPAM, "kind": "typo", "target": target})
    assert wrong.status_code == 422
    elsewhere = await bob.http.post("/api/reports", json={**SPAM, "target": f"another/{spam['id']}"})
    assert told(elsewhere) == (404, "target_not_found")
    assert (await bob.http.post("/api/reports", json={**SPAM, "target": target})).status_code == 201
    assert told(await bob.http.post("/api/reports", json={**SPAM, "target": target})) == (409, "already_reported")
    [report] = (await root.http.get("/api/admin/reports?kind=error&state=open")).json()["items"]
    content = report["content"]
    assert (content["text"], content["account_name"], content["slug"], content["hidden"]) == (
        "Buy handbags",
        "ada",
        "add-one",
        False,
    )
    path = f"/api/admin/comments/{content['id']}/hidden"
    assert (await ada.http.put(path, json={"hidden": True})).status_code == 403
    for _ in range(2):
        assert (await root.http.put(path, json={"hidden": True})).status_code == 204
    [thread] = await threads(bob)
    assert (thread["state"], thread["text"], thread["name"]) == ("hidden", "", "")
    assert [each["text"] for each in thread["replies"]] == ["No"]
    for person in (ada, root):
        assert [(each["state"], each["text"]) for each in await threads(person)] == [("hidden", "Buy handbags")]
    one = f"/api/comments/{spam['id']}"
    assert told(await ada.http.put(one, json={"text": "Buy purses"})) == (409, "comment_hidden")
    assert told(await bob.http.put(f"{one}/vote")) == (404, "comment_not_found")
    assert told(await tell(bob, "Still here", spam["id"])) == (404, "comment_not_found")
    answer = {"state": "accepted", "reply": "It is hidden now."}
    sent = await root.http.post(f"/api/admin/reports/{report['id']}/answer", json=answer)
    assert sent.json()["content"]["hidden"] is True
    assert (await bob.http.get("/api/reports")).json()["items"][0]["reply"] == "It is hidden now."
    assert (await root.http.put(path, json={"hidden": False})).status_code == 204
    assert [(each["state"], each["text"]) for each in await threads(bob)] == [("shown", "Buy handbags")]
    log = (await root.http.get(f"/api/admin/audit?thing={spam['id']}")).json()["items"]
    assert [each["action"] for each in log] == ["comment.restore", "comment.hide"]
    assert log[0]["detail"]["challenge"] == "add-one"


async def test_hidden_replies_are_left_out(service: Service) -> None:
    ada, bob, root = await reader(service, "ada"), await reader(service, "bob"), await service.admin()
    first = await write(ada, "A question")
    reply = await write(ada, "An insult", first["id"])
    await root.http.put(f"/api/admin/comments/{reply['id']}/hidden", json={"hidden": True})
    assert [each["replies"] for each in await threads(bob)] == [[]]
    assert [len(each["replies"]) for each in await threads(ada)] == [1]


async def test_who_leaves_takes_text_and_votes_along_and_leaves_replies_of_others(service: Service) -> None:
    ada, bob = await reader(service, "ada"), await reader(service, "bob")
    own = (await ada.http.get("/api/me")).json()["id"]
    first, theirs = await write(ada, "ADA-WROTE-THIS", key="ada-key"), await write(bob, "By bob")
    await write(bob, "A reply", first["id"])
    await bob.http.put(f"/api/comments/{first['id']}/vote")
    await ada.http.put(f"/api/comments/{theirs['id']}/vote")
    export = (await ada.http.get("/api/me/export")).json()
    assert [each["text"] for each in export["comment"]] == ["ADA-WROTE-THIS"]
    assert [each["target_id"] for each in export["comment_vote"]] == [theirs["id"]], "only her own votes"
    gone = await ada.http.request("DELETE", "/api/me", json={"password": "ten characters"})
    assert gone.status_code == 204
    found = {each["id"]: each for each in await threads(bob)}
    assert (found[first["id"]]["state"], found[first["id"]]["name"]) == ("deleted", "")
    assert len(found[first["id"]]["replies"]) == 1
    assert found[theirs["id"]]["votes"] == 0
    async with service.state.db.read() as session:
        assert await session.scalar(select(func.count()).select_from(CommentVote)) == 0
        for table in Table.metadata.sorted_tables:
            text = str((await session.execute(select(table))).all())
            assert not [word for word in (own, "ADA-WROTE-THIS", "ada-key") if word in text], table.name


async def test_the_count_leaves_out_what_nobody_can_read(service: Service) -> None:
    ada, root = await reader(service, "ada"), await service.admin()
    made = [(await write(ada, text))["id"] for text in ("one", "two", "three")]
    await root.http.put(f"/api/admin/comments/{made[0]}/hidden", json={"hidden": True})
    await ada.http.delete(f"/api/comments/{made[1]}")
    async with service.state.db.write() as session:
        assert [tuple(row) for row in await session.execute(discussions.counts())] == [("add-one", 1)]
