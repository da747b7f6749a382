"""`gradus leaderboard`: who has most points."""

from typing import Annotated, Literal

import typer
from rich.text import Text

from frontend.cli import clean, screen, slugs
from frontend.cli.client import connected
from frontend.cli.records import Board, Ranked
from frontend.cli.scripts import Json, print_json

WHY_NOT = {
    "guest": "A guest has no place: make an account.",
    "unlisted": "You are not shown on leaderboards: your account page changes that.",
    "nothing_solved": "You have solved nothing here yet.",
}


def leaderboard(
    challenge: Annotated[
        str, typer.Argument(metavar="[SLUG]", help="Of one challenge.", autocompletion=slugs.completed)
    ] = "",
    section: Annotated[str, typer.Option("--section", "-s", help="Of one section.")] = "",
    window: Annotated[Literal["all", "month", "week"], typer.Option(help="Since ever, or this month or week.")] = "all",
    me: Annotated[bool, typer.Option("--me", help="The page around yourself.")] = False,
    limit: Annotated[int, typer.Option(help="So many places.", min=1, max=100)] = 20,
    as_json: Json = False,
) -> None:
    """Who has most points; you are marked."""
    wanted = {"challenge": challenge, "section": section, "window": window}
    with connected(screen.notice) as client:
        mine = client.get("/leaderboard/me", Board, limit=limit, **wanted) if client.token or me else None
        board = mine if mine is not None and me else client.get("/leaderboard", Board, limit=limit, **wanted)
    if as_json:
        print_json(board)
        return
    console = screen.console()
    told = WHY_NOT.get(mine.reason or "", "") if mine is not None else ""
    if not board.items:
        console.print(told or "Nobody is on this leaderboard yet.")
        return
    own = mine.mine if mine is not None else None
    table = screen.table()
    for name in ("rank", "name", "points", "solved"):
        table.add_column(name, justify="left" if name == "name" else "right", overflow="fold")
    for place in [*board.items, *([own] if own and own not in board.items else [])]:
        table.add_row(*_row(place), style="key" if own and place.id == own.id else "")
    screen.show(console, table)
    console.print(Text(f"{board.total} on this leaderboard. {told}".strip(), style="quiet"))


def _row(place: Ranked) -> tuple[str, Text, str, str]:
    return str(place.rank), Text(clean.line(place.name)), str(place.points), str(place.solved)
