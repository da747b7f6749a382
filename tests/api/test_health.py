"""Whether a process lives and may be sent requests, as whoever runs it asks."""

from pathlib import Path

import pytest
from sqlalchemy import text

from tests.api.running_service import Service, running, settings_in

pytestmark = pytest.mark.anyio


async def test_a_process_that_can_serve_is_ready_without_nodes(service: Service) -> None:
    client = service.client()
    assert (await client.get("/healthz")).json()["status"] == "ok"
    ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "missing": []})
    assert (await client.get("/api/ready")).status_code == 503, "for people: nothing is judged"


async def test_all_that_is_missing_is_told_and_the_process_lives_on(home: Path) -> None:
    (home / "challenges").mkdir()
    async with running(settings_in(home)) as service:
        client = service.client()
        async with service.state.db.write() as session:
            await session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
        ready = await client.get("/readyz")
        assert ready.status_code == 503
        challenges, tables = ready.json()["missing"]
        assert "No challenge could be read" in challenges
        assert "run: gradus db upgrade" in tables
        async with service.state.db.write() as session:
            await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        assert len((await client.get("/readyz")).json()["missing"]) == 1, "newer tables are another process's upgrade"
        async with service.state.db.write() as session:
            await session.execute(text("DROP TABLE alembic_version"))
        assert "version none" in str((await client.get("/readyz")).json()["missing"])
        assert (await client.get("/healthz")).status_code == 200


async def test_a_database_that_does_not_answer_and_a_service_that_stops(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent() -> bool:
        return False

    monkeypatch.setattr(service.state.db, "answers", silent)
    service.state.hub.closing = True
    ready = await service.client().get("/readyz")
    assert ready.status_code == 503
    assert ready.json()["missing"] == ["The service is stopping.", "The database does not answer."]
