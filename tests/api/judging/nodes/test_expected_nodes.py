"""Tests that the admin page and the metrics list every node that should be connected, whether it is connected or not."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from api.judging.nodes import expected, tokens
from api.judging.submissions.models import NodeToken
from api.kit.db.database import now
from tests.api.challenge_folders import write_challenge
from tests.api.judging.nodes.remote_rig import place
from tests.api.ops.test_metrics import read, value
from tests.api.running_service import Person, Service, running, settings_in
from tests.api.test_cli import free_port

pytestmark = pytest.mark.anyio
LONG = timedelta(minutes=10)


async def gpu_node_that_went(service: Service, name: str = "gpu-1", **more: Any) -> None:
    """Store a GPU node that has joined, was last seen ten minutes ago, and is not connected."""
    async with service.state.db.write() as session:
        await tokens.make(session, name, **more)
        await tokens.joined(session, name, "cuda")
        await session.execute(update(NodeToken).where(NodeToken.name == name).values(seen_at=now() - LONG))


async def states(admin: Person) -> dict[str, tuple[str, str | None]]:
    """Return the state and the device of every expected node by name, as admins see them."""
    found = (await admin.http.get("/api/admin/nodes")).json()["expected"]
    return {node["name"]: (node["state"], node["device"]) for node in found}


async def test_a_node_that_should_be_there_and_is_not_is_told_by_name_and_device(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, metrics_port=free_port(), local_node=False)) as service:
        admin = await service.admin()
        await gpu_node_that_went(service)
        async with service.state.db.write() as session:
            await tokens.make(session, "new")
        assert await states(admin) == {"gpu-1": ("missing", "cuda"), "new": ("missing", None)}
        figures = await read(service)
        assert value(figures, "gradus_nodes_expected", device="cuda") == 1
        assert value(figures, "gradus_node_away_seconds", node="gpu-1", device="cuda") == pytest.approx(600, abs=30)
        assert value(figures, "gradus_node_away_seconds", node="new", device="unknown") < 60
        assert not [labels for name, labels in figures if name == "gradus_nodes_able" and ("device", "cuda") in labels]


async def test_what_is_away_on_purpose_is_not_missed(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, metrics_port=free_port())) as service:
        admin = await service.admin()
        await gpu_node_that_went(service)
        await gpu_node_that_went(service, "group-1", elastic=True)
        assert (await admin.http.put("/api/admin/nodes/gpu-1/drain")).status_code == 200
        assert (await admin.http.put("/api/admin/nodes/nobody/drain")).status_code == 404
        assert await states(admin) == {"gpu-1": ("drained", "cuda"), "group-1": ("elastic", "cuda")}
        figures = await read(service)
        assert value(figures, "gradus_nodes_expected", device="cpu") == 0
        assert not [name for name, _ in figures if name == "gradus_node_away_seconds"]


async def test_a_local_node_that_does_not_come_is_missed(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        # With these settings, the service expects a local node. No node has connected yet.
        settings = settings_in(home, local_node=True)
        async with service.state.db.read() as session:
            found = await expected.all_of(session, service.state.dispatcher.nodes, settings)
            assert [(node.name, node.device, node.state) for node in found] == [("local", "cpu", "missing")]
        await service.node("node-1")
        async with service.state.db.read() as session:
            found = await expected.all_of(session, service.state.dispatcher.nodes, settings)
            assert [(node.name, node.state) for node in found] == [("node-1", "connected")]


async def test_every_process_knows_of_a_node_that_is_connected_to_another(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expected, "SEEN_EVERY_S", 0.1)
    monkeypatch.setattr(expected, "AWAY_S", 5.0)
    async with place(home, lease_s=2) as at:
        admin = await at.service.admin()
        node = await at.start("far-1")
        assert await states(admin) == {"far-1": ("connected", "cpu")}
        # An empty table of connected nodes stands for another process of the service, to which no node is connected. It reads
        # the same rows of the database.
        others = type(at.service.state.dispatcher.nodes)()
        async with at.service.state.db.read() as session:
            found = await expected.all_of(session, others, at.service.settings)
        assert [(each.name, each.state) for each in found] == [("far-1", "connected")]
        before = found[0].since
        node.kill()
        await at.until(lambda: not at.service.state.dispatcher.nodes.all())
        async with at.service.state.db.read() as session:
            row = (await tokens.all_of(session))[0]
        assert row.seen_at is not None
        assert row.seen_at >= before
        monkeypatch.setattr(expected, "AWAY_S", 0.0)
        assert await states(admin) == {"far-1": ("missing", "cpu")}
