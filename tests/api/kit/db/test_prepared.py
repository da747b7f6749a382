"""Tests statements that the driver runs directly: they see and return the same as statements that SQLAlchemy runs."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import bindparam, insert, select, text
from sqlalchemy.exc import IntegrityError

from api.judging.submissions.models import NodeToken
from api.kit.db.database import Database
from api.kit.db.prepared import Prepared, tracked
from tests.api.running_service import settings_in

pytestmark = pytest.mark.anyio
SINCE = datetime(2026, 11, 26, 12, 30, tzinfo=UTC)
ADD = Prepared(insert(NodeToken.metadata.tables["node_token"]), "name", "public_key", "created_at", "elastic")
FIND = Prepared(select(*NodeToken.__table__.columns).where(NodeToken.name == bindparam("name")))
ELASTIC = Prepared(select(NodeToken.name).where(NodeToken.elastic, NodeToken.joined_at.is_(None)))
RENAME = Prepared(text("UPDATE node_token SET name = :new WHERE name = :name RETURNING name, public_key"))


@pytest.fixture
async def db(home: Path) -> AsyncIterator[Database]:
    """A database with one node."""
    database = Database(settings_in(home).database)
    await database.migrate()
    async with database.write() as session:
        assert await ADD.rows(session, name="one", public_key="key", created_at=SINCE, elastic=True) == []
    yield database
    await database.close()


async def test_values_are_converted_on_the_way_in_and_out(db: Database) -> None:
    [found] = await db.look_up(FIND, name="one")
    assert found == ("one", "key", SINCE, None, None, None, True)
    assert await db.look_up(ELASTIC) == [("one",)]
    assert await db.look_up(FIND, name="two") == []


async def test_it_sees_what_the_session_has_not_flushed(db: Database) -> None:
    async with db.write() as session:
        session.add(NodeToken(name="two", public_key="other", created_at=SINCE))
        assert len(await FIND.rows(session, name="two")) == 1


async def test_changes_of_a_tracked_row_are_stored(db: Database) -> None:
    async with db.write() as session:
        [row] = await FIND.rows(session, name="one")
        node = tracked(session, NodeToken, row)
        assert tracked(session, NodeToken, row) is node
        node.seen_at = SINCE
    [found] = await db.look_up(FIND, name="one")
    assert found[5] == SINCE


async def test_what_fails_leaves_nothing_and_raises_the_error_of_sqlalchemy(db: Database) -> None:
    async def twice() -> None:
        async with db.write() as session:
            assert await RENAME.rows(session, name="one", new="two") == [("two", "key")]
            await ADD.rows(session, name="three", public_key="key", created_at=SINCE, elastic=False)

    with pytest.raises(IntegrityError):
        await twice()
    assert [len(await db.look_up(FIND, name=name)) for name in ("one", "two", "three")] == [1, 0, 0]
