"""The commands `gradus db …`, which upgrade, back up, restore and copy the database of this site."""

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Shown
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from api.kit.db.database import Database
from api.kit.process_lock import only_one
from api.ops.database import backups, copying
from api.ops.database.errors import UpkeepError
from api.settings import DRIVERS, ConfigurationError, Settings

HELP = """The database of this site: GRADUS_DATABASE_URL, or the SQLite file in GRADUS_DATA_DIR."""
app = typer.Typer(no_args_is_help=True, help=HELP)
MIB = 1 << 20


@app.command()
def upgrade() -> None:
    """Upgrade the tables to the newest version. `gradus serve` does this as well when it starts."""
    with _reporting_errors():
        url = Settings().database
        before, after = asyncio.run(_upgrade(url))
        was = f"from version {before}" if before else "in a new database"
        typer.echo(f"The tables are at version {after} already." if before == after else f"Made version {after} {was}.")


@app.command()
def backup(file: Annotated[Path, typer.Argument(help="A file that does not exist yet.")]) -> None:
    """Write the whole database to a file, in its current state. The service may be running."""
    with _reporting_errors():
        size = backups.back_up(Settings().database, file)
        typer.echo(f"{file}: {size / MIB:.1f} MiB. It contains all answers and password hashes: store it safely.")


@app.command()
def restore(file: Annotated[Path, typer.Argument(help="A file that `gradus db backup` wrote.")]) -> None:
    """Restore a backup. There must be no database yet, and the service must not be running."""
    with _reporting_errors():
        settings = Settings()
        with only_one(settings.data_dir):
            backups.restore(settings.database, file)
            asyncio.run(_upgrade(settings.database))
        typer.echo(f"{file} is back. Start the service: gradus serve")


@app.command()
def copy(
    target: Annotated[
        str, typer.Argument(help="postgresql+psycopg://user:password@host/name, or sqlite+aiosqlite:///file.")
    ],
) -> None:
    """Copy all rows into another database, which must be empty, and compare the numbers of rows. Use it to move from SQLite
    to PostgreSQL.
    """
    with _reporting_errors():
        settings = Settings()
        with only_one(settings.data_dir):
            rows = asyncio.run(_copy(settings.database, target))
        _show(rows)
        typer.echo(f"Set GRADUS_DATABASE_URL={make_url(target)} (with the password), then start the service.")


async def _upgrade(url: str) -> tuple[str, str]:
    db = Database(url)
    try:
        before = await db.version()
        await db.migrate()
        return before, await db.version()
    finally:
        await db.close()


async def _copy(source: str, target: str) -> dict[str, int]:
    if make_url(target).drivername not in DRIVERS:
        raise ArgumentError
    if make_url(source) == make_url(target):
        raise UpkeepError("source and target are the same database.")
    reading, writing = Database(source), Database(target)
    try:
        return await copying.copy(reading, writing)
    finally:
        await reading.close()
        await writing.close()


def _show(rows: dict[str, int]) -> None:
    table = Shown(title="copied")
    table.add_column("table")
    table.add_column("rows", justify="right")
    for name, number in rows.items():
        if number:
            table.add_row(name, f"{number:,}")
    table.add_section()
    table.add_row("all", f"{sum(rows.values()):,}")
    Console().print(table)


@contextlib.contextmanager
def _reporting_errors() -> Iterator[None]:
    """Report an error as one sentence, and exit with code 2."""
    try:
        yield
    except (UpkeepError, ConfigurationError) as error:
        reason = str(error)
    except ArgumentError:
        reason = "that is not the URL of a database; write postgresql+psycopg://user:password@host/name."
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).strip()
    else:
        return
    typer.echo(f"gradus db: {reason}", err=True)
    sys.exit(2)


if __name__ == "__main__":
    app()
