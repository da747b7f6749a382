"""Defines the command `gradus leaderboard`, which lists accounts by their points."""

from typing import Annotated, Literal

import typer
from rich.text import Text

from frontend.cli import clean
from frontend.cli.rendering import screen
from frontend.cli.scripts import Json, print_json
from frontend.cli.service import slugs
from frontend.cli.service.client import connected
from frontend.cli.service.records import Board, Ranked

WHY_NOT = {
    "guest": "Guests are not ranked. Create an account to get a place.",
    "unlisted": "Your profile is not public. Change this on your profile page.",
    "nothing_solved": "You have not solved anything here yet.",
}


def leaderboard(
    challenge: Annotated[
        str, typer.Argument(metavar="[SLUG]", help="The leaderboard of one challenge.", autocompletion=slugs.completed)
    ] = "",
    section: Annotated[str, typer.Option("--section", "-s", help="The leaderboard of one section.")] = "",
    window: Annotated[Literal["all", "month", "week"], typer.Option(help="All time, this month or this week.")] = "all",
    me: Annotated[bool, typer.Option("--me", help="Show the part around your own place.")] = False,
    limit: Annotated[int, typer.Option(help="How many places to show.", min=1, max=100)] = 20,
    as_json: Json = False,
) -> None:
    """Show who has the most points. Your own row is highlighted."""
    wanted = {"challenge": challenge, "section": section, "window": window}
    with connected(screen.notice) as client:
        mine = client.get("/leaderboard/me", Board, limit=limit, **wanted) if client.token or me else None
        board = mine if mine is not None and me else client.get("/leaderboard", Board, limit=limit, **wanted)
    if as_json:
        print_json(board)
        return
    console = screen.console()
    reason = WHY_NOT.get(mine.reason or "", "") if mine is not None else ""
    if not board.items:
        console.print(reason or "This leaderboard is still empty.")
        return
    own = mine.mine if mine is not None else None
    table = screen.table()
    for name in ("rank", "name", "points", "solved"):
        table.add_column(name, justify="left" if name == "name" else "right", overflow="fold")
    for place in [*board.items, *([own] if own and own not in board.items else [])]:
        table.add_row(*_row(place), style="key" if own and place.id == own.id else "")
    screen.show(console, table)
    console.print(Text(f"{board.total} on this leaderboard. {reason}".strip(), style="quiet"))


def _row(place: Ranked) -> tuple[str, Text, str, str]:
    return str(place.rank), Text(clean.line(place.name)), str(place.points), str(place.solved)
