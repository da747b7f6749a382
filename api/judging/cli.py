"""`gradus nodes`: who may judge for this service from elsewhere. For the service's own machine: it opens the database."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import Database
from api.judging import tokens
from api.settings import Settings
from grader import subjects

Result = TypeVar("Result")
Name = Annotated[str, typer.Argument(help="Lower-case letters, digits, hyphens.")]
app = typer.Typer(no_args_is_help=True, help="Nodes on other machines: their tokens.")


@app.command()
def token(name: Name) -> None:
    """Make a token for a node, shown this once. One that it had before is worthless from now on."""
    if not subjects.NAME.fullmatch(name):
        typer.echo("gradus nodes: a name is lower-case letters, digits and hyphens, 40 at most.", err=True)
        sys.exit(2)
    made = _with_database(lambda session: tokens.make(session, name))
    url = tokens.address(Settings().nats_url.get_secret_value()) or "nats://HOST:4222"
    typer.echo(f"gradus node --url {url} --token {made}")


@app.command("list")
def list_tokens() -> None:
    """Which nodes may join, and when they last did."""
    for row in _with_database(tokens.all_of):
        typer.echo(f"{row.name}\t{row.joined_at.isoformat(timespec='seconds') if row.joined_at else 'never joined'}")


@app.command()
def revoke(name: Name) -> None:
    """Make a node's token worthless."""
    if not _with_database(lambda session: tokens.revoke(session, name)):
        typer.echo(f"gradus nodes: no node called {name} has a token.", err=True)
        sys.exit(1)


@app.command()
def users() -> None:
    """Print what nats-server includes, for a server that does not see the file of GRADUS_NATS_USERS."""
    url = Settings().nats_url.get_secret_value()
    typer.echo(tokens.users(url, _with_database(tokens.all_of)), nl=False)


def _with_database(deed: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    async def done() -> Result:
        db = Database(Settings().database)
        try:
            await db.migrate()
            async with db.write() as session:
                return await deed(session)
        finally:
            await db.close()

    return asyncio.run(done())


if __name__ == "__main__":
    app()
