"""The command `gradus standings rebuild`. From the judgings, it recomputes all solves (each account's first accepted submission
for a challenge) and all points on leaderboards.
"""

import asyncio

import typer

from api.content.catalogue.service import read_catalogue
from api.kit.db.database import Database
from api.practice.leaderboards import scoring
from api.settings import Settings

app = typer.Typer(no_args_is_help=True, help="Solves, points and boards.")


@app.callback()
def _standings() -> None:
    """Makes typer treat `rebuild` as a subcommand although it is the only command."""


@app.command()
def rebuild() -> None:
    """Recompute solves and points, e.g. after a challenge's difficulty was changed. The service can keep running."""
    settings = Settings()
    typer.echo(f"{asyncio.run(_rebuild(settings))} accounts recomputed.")


async def _rebuild(settings: Settings) -> int:
    catalogue = read_catalogue(settings.challenges_dir, serve_unproven=settings.serve_unproven)
    db = Database(settings.database)
    try:
        await db.migrate()
        return await scoring.rebuild(db, catalogue)
    finally:
        await db.close()


if __name__ == "__main__":
    app()
