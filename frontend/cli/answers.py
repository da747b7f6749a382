"""`gradus run`, `submit`, `status`, `history`: answers and their judgings."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from frontend.cli import clean, results, screen, slugs, workspace
from frontend.cli.catalogue import fetch
from frontend.cli.client import Client, connected
from frontend.cli.failure import NOT_ACCEPTED, Failure, misused
from frontend.cli.records import SentPage, Submission
from frontend.cli.scripts import Json, print_json
from frontend.cli.watch import watch

File = Annotated[Path | None, typer.Argument(help="Your answer's file, or its folder; answer.py here if left out.")]
Slug = Annotated[
    str,
    typer.Option(
        "--challenge", "-c", help="The challenge, for a file outside its folder.", autocompletion=slugs.completed
    ),
]
Device = Annotated[Literal["cpu", "cuda"], typer.Option(help="Where it is judged.")]
# An id has 32 characters: it is shown where it fits beside the rest.
WITH_IDS = 110
Pictures = Annotated[bool, typer.Option("--pictures", help="Show the pictures of passed samples too.")]


def run(
    file: File = None, challenge: Slug = "", device: Device = "cpu", pictures: Pictures = False, as_json: Json = False
) -> None:
    """Judge your answer by the sample tests. Exit code 0 if they pass, 1 if not."""
    with connected(screen.notice) as client:
        _shown(client, _send(client, file, challenge, "run", device), as_json=as_json, pictures=pictures)


def submit(
    file: File = None,
    challenge: Slug = "",
    device: Device = "cpu",
    follow: Annotated[bool, typer.Option("--watch/--no-watch", help="Wait for the verdict, or only send.")] = True,
    as_json: Json = False,
) -> None:
    """Judge your answer by all tests. Exit code 0 if it is accepted, 1 if not."""
    with connected(screen.notice) as client:
        sent = _send(client, file, challenge, "submit", device)
        if follow:
            _shown(client, sent, as_json=as_json)
        elif as_json:
            print_json(client.raw(f"/submissions/{sent.id}"))
        else:
            screen.console().print(f"Sent. See its end with: gradus status {clean.line(sent.id)}")


def status(
    submission: Annotated[str, typer.Argument(metavar="[ID]", help="A submission; your last one if left out.")] = "",
    follow: Annotated[bool, typer.Option("--watch/--no-watch", help="Wait for its end, if it has none yet.")] = False,
    pictures: Pictures = False,
    as_json: Json = False,
) -> None:
    """A submission and its results. Exit code 0 unless it ended without being accepted."""
    with connected(screen.notice) as client:
        found = client.get(f"/submissions/{_identifier(client, submission)}", Submission)
        if follow or not found.unfinished:
            _shown(client, found, as_json=as_json, pictures=pictures)
        elif as_json:
            print_json(client.raw(f"/submissions/{found.id}"))
        else:
            waiting = results.waiting(found.queue) if found.status == "queued" and found.queue else "It is being judged"
            screen.console().print(f"{waiting}. Wait for its end with: gradus status {clean.line(found.id)} --watch")


def history(
    challenge: Annotated[
        str, typer.Argument(metavar="[SLUG]", help="Only of this one.", autocompletion=slugs.completed)
    ] = "",
    kind: Annotated[Literal["run", "submit", "scratch"] | None, typer.Option(help="Only these.")] = None,
    limit: Annotated[int, typer.Option(help="So many, newest first.", min=1, max=100)] = 20,
    as_json: Json = False,
) -> None:
    """Your submissions, newest first."""
    with connected(screen.notice) as client:
        page = client.get("/submissions", SentPage, slug=challenge, kind=kind or "", limit=limit)
    if as_json:
        print_json(page.items)
        return
    console = screen.console()
    if not page.items:
        console.print("Nothing was sent yet. Begin with: gradus list")
        return
    wide = console.width >= WITH_IDS
    table = screen.table()
    for name in ("when", "challenge", "verdict", "points", *(("time", "id") if wide else ())):
        table.add_column(name, justify="right" if name in ("points", "time") else "left", overflow="fold")
    for sent in page.items:
        more = [Text(screen.seconds(sent.cpu_s)), Text(clean.line(sent.id), style="quiet")] if wide else []
        told = screen.verdict_text(sent.status, sent.verdict, sent.kind)
        points = f"{sent.score}/{sent.max_score}" if sent.verdict else "–"
        table.add_row(
            Text(screen.since(sent.created_at), style="quiet"), Text(clean.line(sent.slug)), told, points, *more
        )
    screen.show(console, table)
    if page.next_cursor:
        screen.notice(f"There are more: gradus history --limit {min(limit * 2, 100)}")


def _send(client: Client, file: Path | None, slug: str, kind: str, device: str) -> Submission:
    path = workspace.find(file)
    slug = slug or workspace.slug_of(path)
    if not slug:
        raise misused(
            f"Which challenge does {path} answer? Name it with --challenge SLUG, or use a folder of `gradus pull`."
        )
    body = {"slug": slug, "source": workspace.source(path), "kind": kind, "device": device}
    if not workspace.SLUG.fullmatch(slug):
        fetch(client, slug)
    try:
        return client.post("/submissions", Submission, body, once=True)
    except Failure as failure:
        if failure.code == "challenge_not_found":
            fetch(client, slug)
        raise


def _shown(client: Client, sent: Submission, *, as_json: bool, pictures: bool = False) -> None:
    """Wait for the end, print it, and end with the code that tells it."""
    console = screen.console()
    ended = watch(client, sent.id, console, silent=as_json) if sent.unfinished else sent
    if as_json:
        print_json(client.raw(f"/submissions/{ended.id}"))
    else:
        screen.show(console, results.whole(ended, console, all_pictures=pictures))
    if ended.status == "cancelled" or (ended.verdict != "AC" and ended.kind != "scratch"):
        raise typer.Exit(NOT_ACCEPTED)


def _identifier(client: Client, given: str) -> str:
    if given:
        if not given.isascii() or not given.isalnum():
            raise misused(f"{clean.line(given)!r} is no submission's id. `gradus history` shows them.")
        return given
    newest = client.get("/submissions", SentPage, limit=1).items
    if not newest:
        raise misused("Nothing was sent yet. Begin with: gradus list")
    return newest[0].id
