"""The commands `gradus standings rebuild` and `gradus standings check`. From the judgings, they recompute all solves (each
account's first accepted submission for a challenge) and all points on leaderboards.
"""

import asyncio

import typer

from api.content.catalogue.service import read_catalogue
from api.kit.db.database import Database
from api.practice.leaderboards import scoring
from api.settings import Settings

# How many accounts that differ are named.
NAMED = 20
app = typer.Typer(no_args_is_help=True, help="Solves, points and boards.")


@app.command()
def rebuild() -> None:
    """Recompute solves and points, e.g. after a challenge's difficulty was changed. The service can keep running."""
    done = asyncio.run(_rebuild(Settings(), keep=True))
    typer.echo(f"{done.accounts} accounts recomputed, {len(done.different)} of them changed.")


@app.command()
def check() -> None:
    """Compare the stored solves and points with those that the judgings give, and change nothing. The exit status is 1 if any
    differ. The service can keep running.
    """
    done = asyncio.run(_rebuild(Settings(), keep=False))
    typer.echo(f"{done.accounts} accounts compared, {len(done.different)} of them differ.")
    for account_id in done.different[:NAMED]:
        typer.echo(f"  {account_id}")
    if done.different:
        typer.echo("Run `gradus standings rebuild` to correct them.")
        raise typer.Exit(1)


async def _rebuild(settings: Settings, *, keep: bool) -> scoring.Rebuilt:
    catalogue = read_catalogue(settings.challenges_dir, serve_unproven=settings.serve_unproven)
    db = Database(settings.database)
    try:
        await db.migrate()
        return await scoring.rebuild(db, catalogue, keep=keep)
    finally:
        await db.close()


if __name__ == "__main__":
    app()
