"""Exports everything that is stored about an account as one JSON object, with a list of rows for each table. Secrets are left
out: hashes, internal values of judgings such as seeds, and the parts of a judgement that the submitter must not see.
"""

import json
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Column, select
from sqlalchemy import Table as Described

from api.identity.accounts.models import Account
from api.judging.submissions.history import public_test
from api.judging.submissions.models import Judging
from api.kit.db.database import Database, now
from api.ops.privacy.rows import about, personal_tables
from grader.contract.job import Judgement

# Number of rows that are read in one query.
ROWS = 200


def _judgement(stored: str) -> dict[str, Any]:
    judgement = msgspec.json.decode(stored.encode(), type=Judgement)
    return {
        "tests": [public_test(test) for test in judgement.tests],
        "compile_error": msgspec.to_builtins(judgement.compile_error),
        "output": judgement.output,
        "environment": judgement.environment,
    }


# Functions that convert a stored value for the export, by table and column.
SHOWN: dict[tuple[str, str], Callable[[str], Any]] = {(Judging.__tablename__, "judgement"): _judgement}


async def export(db: Database, account_id: str) -> AsyncIterator[str]:
    """Yield the JSON in parts. Rows are read in small pages, and no database connection is in use between two pages. A client
    that downloads slowly therefore does not occupy a connection.
    """
    yield f'{{"exported_at": "{now().isoformat()}"'
    for table in personal_tables():
        yield f',\n"{table.name}": ['
        first = True
        async for row in _rows(db, table, account_id):
            yield ("\n" if first else ",\n") + json.dumps(row, ensure_ascii=False)
            first = False
        yield "]"
    yield "}\n"


def public_columns(table: Described) -> list[Column[Any]]:
    """Return the columns that the account may see."""
    return [column for column in table.c if not column.info.get("secret")]


async def _rows(db: Database, table: Described, account_id: str) -> AsyncIterator[dict[str, Any]]:
    key, columns = list(table.primary_key), public_columns(table)
    query = select(*columns, *key).where(about(table, account_id)).order_by(*key)
    seen = 0
    while True:
        async with db.read() as session:
            rows = (await session.execute(query.offset(seen).limit(ROWS))).all()
        for row in rows:
            yield {
                column.name: _plain(table.name, column.name, value) for column, value in zip(columns, row, strict=False)
            }
        seen += len(rows)
        if len(rows) < ROWS:
            return


def _plain(table: str, column: str, value: Any) -> Any:
    if value is not None and (form := SHOWN.get((table, column))):
        return form(value)
    return value.isoformat() if isinstance(value, datetime) else value


def file_name(account: Account) -> str:
    """Return the name of the exported file."""
    return f"gradus-{account.created_at:%Y%m%d}-{account.id[:8]}.json"
