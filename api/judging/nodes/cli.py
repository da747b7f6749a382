"""The command `gradus nodes`, which manages the tokens of nodes on other machines. It opens the database directly, so it must
run where the service's settings and database are available.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.nodes import tokens
from api.kit.db.database import Database
from api.settings import Settings
from grader.contract import subjects

Result = TypeVar("Result")
Name = Annotated[str, typer.Argument(help="Lowercase letters, digits and hyphens.")]
app = typer.Typer(no_args_is_help=True, help="Nodes on other machines: their tokens.")


@app.command()
def token(
    name: Name,
    elastic: Annotated[
        bool,
        typer.Option(
            "--elastic",
            help="The node is started and stopped automatically; it is not reported as missing while it is away.",
        ),
    ] = False,
) -> None:
    """Create a token for a node. The token is shown only once. An earlier token of the node becomes invalid."""
    if not subjects.NAME.fullmatch(name):
        typer.echo("gradus nodes: a name consists of lowercase letters, digits and hyphens, 40 at most.", err=True)
        sys.exit(2)
    made = _with_database(lambda session: tokens.make(session, name, elastic=elastic))
    url = tokens.address(Settings().nats_url.get_secret_value()) or "nats://HOST:4222"
    typer.echo(f"gradus node --url {url} --token {made}")


@app.command("list")
def list_tokens() -> None:
    """List the nodes that may join, their devices, and when they were last connected."""
    for row in _with_database(tokens.all_of):
        last = row.seen_at.isoformat(timespec="seconds") if row.seen_at else "never joined"
        typer.echo(f"{row.name}\t{row.device or 'unknown'}\t{last}" + ("\telastic" if row.elastic else ""))


@app.command()
def revoke(name: Name) -> None:
    """Revoke a node's token."""
    if not _with_database(lambda session: tokens.revoke(session, name)):
        typer.echo(f"gradus nodes: no node called {name} has a token.", err=True)
        sys.exit(1)


@app.command()
def users() -> None:
    """Print the users file for a nats-server that cannot read the file at GRADUS_NATS_USERS."""
    url = Settings().nats_url.get_secret_value()
    typer.echo(tokens.users(url, _with_database(tokens.all_of)), nl=False)


def _with_database(action: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    async def done() -> Result:
        db = Database(Settings().database)
        try:
            await db.migrate()
            async with db.write() as session:
                return await action(session)
        finally:
            await db.close()

    return asyncio.run(done())


if __name__ == "__main__":
    app()
