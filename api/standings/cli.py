"""`gradus standings rebuild`: make all solves and points anew from the judgings there are."""

import asyncio

import typer

from api.catalogue.service import read_catalogue
from api.db import Database
from api.settings import Settings
from api.standings import settling

app = typer.Typer(no_args_is_help=True, help="Solves, points and boards.")


@app.callback()
def _standings() -> None:
    """Keeps `rebuild` a command of its own while it is the only one."""


@app.command()
def rebuild() -> None:
    """Make solves and points anew, also while the service runs: after a challenge's level was changed, or to be sure."""
    settings = Settings()
    typer.echo(f"{asyncio.run(_rebuild(settings))} accounts counted anew.")


async def _rebuild(settings: Settings) -> int:
    catalogue = read_catalogue(settings.challenges_dir, serve_unproven=settings.serve_unproven)
    db = Database(settings.database)
    try:
        await db.migrate()
        return await settling.rebuild(db, catalogue)
    finally:
        await db.close()


if __name__ == "__main__":
    app()
