"""Tests nodes on other machines, over a real nats-server. Each submission must get exactly one verdict, and the right one, even
after failures.
"""

import asyncio
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.api.judging.nodes.remote_rig import place, settings_at
from tests.api.running_service import SOURCE, Person, running

pytestmark = pytest.mark.anyio
LONG = {"lease_s": 20}


async def send(person: Person, number: int, more: str = "") -> dict[str, Any]:
    """Send an answer whose source differs from all other answers."""
    return await person.send(source=f"{SOURCE}# {number}\n{more}\n")


async def test_two_nodes_share_the_work_and_tell_what_they_are(home: Path) -> None:
    async with place(home, **LONG) as at:
        first, _ = await asyncio.gather(at.start("first"), at.start("second"))
        ada, admin = await at.service.person(), await at.service.admin()
        sent = [await send(ada, number, "# wait 0.3") for number in range(6)]
        assert [await at.verdict(ada, one["id"]) for one in sent] == [("AC", 1)] * 6
        items = (await admin.http.get("/api/admin/nodes")).json()["items"]
        assert [item["name"] for item in items] == ["first", "second"]
        assert sum(item["judged"] for item in items) == 6
        assert min(item["judged"] for item in items) > 0
        assert items[0]["versions"]["gradus"] == "test"
        # After SIGTERM, a node finishes its current jobs and takes no new ones.
        slow = await send(ada, 7, "# wait 1")
        busy = "first" if await _taken(at) == "first" else "second"
        if busy == "first":
            first.send_signal(signal.SIGTERM)
            assert await at.ended(first) == (0, "\n")
        assert await at.verdict(ada, slow["id"]) == ("AC", 1)


async def _taken(at: Any) -> str:
    await at.until(lambda: at.judging("first") + at.judging("second"))
    return "first" if at.judging("first") else "second"


async def test_what_a_killed_node_had_is_judged_by_another(home: Path) -> None:
    async with place(home, lease_s=2) as at:
        ada = await at.service.person()
        doomed = await at.start("doomed", "--verdict", "WA")
        sent = await send(ada, 1, "# wait 1")
        await at.until(lambda: at.judging("doomed"))
        doomed.kill()
        await at.start("other")
        assert await at.verdict(ada, sent["id"]) == ("AC", 2)
        assert at.size("doomed") == 0


async def test_a_node_that_wakes_after_its_lease_changes_nothing(home: Path) -> None:
    async with place(home, lease_s=2) as at:
        ada = await at.service.person()
        frozen = await at.start("frozen", "--verdict", "WA")
        sent = await send(ada, 1, "# wait 1")
        await at.until(lambda: at.judging("frozen"))
        frozen.send_signal(signal.SIGSTOP)
        await at.start("other")
        assert await at.verdict(ada, sent["id"]) == ("AC", 2)
        frozen.send_signal(signal.SIGCONT)
        # The node joins again and reports its verdict. The service must ignore this verdict, because the other node has judged
        # the submission.
        await at.until(lambda: at.size("frozen"))
        await asyncio.sleep(0.5)
        assert await at.verdict(ada, sent["id"]) == ("AC", 2)
        again = [await send(ada, number) for number in range(2, 6)]
        assert {(await at.verdict(ada, one["id"]))[1] for one in again} == {1}, "both judge on"


async def test_a_verdict_outlives_a_server_that_was_killed_meanwhile(home: Path) -> None:
    async with place(home, **LONG) as at:
        ada = await at.service.person()
        await at.start("one")
        sent = await send(ada, 1, "# wait 1")
        await at.until(lambda: at.judging("one"))
        at.server.kill()
        waits = await send(ada, 2)
        await asyncio.sleep(1.5)
        assert (await ada.get(sent["id"]))["status"] == "judging", "it has ended, and cannot be told yet"
        at.server.start()
        assert await at.verdict(ada, sent["id"]) == ("AC", 1)
        assert (await at.verdict(ada, waits["id"]))[0] == "AC"


async def test_a_server_that_has_lost_all_it_stored_is_furnished_anew(home: Path) -> None:
    async with place(home, **LONG) as at:
        ada = await at.service.person()
        await at.start("one")
        sent = await send(ada, 1, "# wait 1")
        await at.until(lambda: at.judging("one"))
        at.server.kill()
        shutil.rmtree(at.server.folder / "store")
        at.server.start()
        assert await at.verdict(ada, sent["id"]) == ("AC", 1)
        assert await at.verdict(ada, (await send(ada, 2))["id"]) == ("AC", 1)


async def test_a_service_process_that_ends_leaves_its_jobs_to_another(home: Path) -> None:
    async with place(home, **LONG, database_url=f"sqlite+aiosqlite:///{home / 'both.db'}") as at:
        node = await at.start("one")
        both = {"database_url": at.service.settings.database, "data_dir": home / "2"}
        async with running(settings_at(at.server, home, **LONG, **both)) as other:
            ada = await other.person()
            sent = await send(ada, 1, "# wait 2")
            await at.until(lambda: at.judging("one"))
            # The process to which the node is connected stops. The node finds the other process and reports the judgement
            # there.
            await at.running.aclose()
            assert await at.verdict(ada, sent["id"]) == ("AC", 1)
            await at.until(other.state.dispatcher.nodes.size)
            assert node.poll() is None


@pytest.mark.parametrize("deed", ["revoked", "renewed"])
async def test_a_node_whose_token_is_worthless_is_cut_off(home: Path, deed: str) -> None:
    async with place(home, lease_s=2) as at:
        node = await at.start("gone")
        admin = await at.service.admin()
        if deed == "revoked":
            left = await admin.http.delete("/api/admin/node-tokens/gone")
            assert left.json()["items"] == []
        else:
            made = (await admin.http.put("/api/admin/node-tokens/gone")).json()
            assert made["command"] == f"gradus node --url {at.server.open_url} --token {made['token']}"
        code, said = await at.ended(node)
        assert code == 3
        assert "was revoked" in said, "by the server or by the service, whichever it met first"
        if deed == "renewed":
            await at.start("gone", token=made["token"])


async def test_a_node_that_cannot_tell_right_from_wrong_gets_no_jobs(home: Path) -> None:
    async with place(home, **LONG) as at:
        await at.start("blind", "--blind", wait=False)
        nodes = at.service.state.dispatcher.nodes
        await at.until(lambda: "self-test failed" in str(nodes.reason()))
        assert "a wrong answer got AC" in str(nodes.reason())
        ada = await at.service.person()
        sent = await send(ada, 1)
        await asyncio.sleep(0.5)
        assert (await ada.get(sent["id"]))["status"] == "queued"
