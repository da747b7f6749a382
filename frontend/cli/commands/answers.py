"""Defines the commands `gradus run`, `submit`, `compare`, `status` and `history`. They submit answers and show the results."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from frontend.cli import clean, workspace
from frontend.cli.commands.catalogue import fetch
from frontend.cli.failure import NOT_ACCEPTED, Failure, misused
from frontend.cli.rendering import results, screen
from frontend.cli.scripts import Json, print_json
from frontend.cli.service import slugs
from frontend.cli.service.client import Client, connected
from frontend.cli.service.records import OwnInputOffer, Submission, SubmissionPage
from frontend.cli.watch import watch

File = Annotated[
    Path | None, typer.Argument(help="The file of your answer, or its folder. Default: answer.py in this folder.")
]
Slug = Annotated[
    str,
    typer.Option(
        "--challenge", "-c", help="The challenge, if the file is not in its folder.", autocompletion=slugs.completed
    ),
]
Device = Annotated[
    Literal["cpu", "cuda"] | None,
    typer.Option(help="The device to judge it on. Default: cpu, or cuda if the challenge needs a GPU."),
]
# The smallest width of the terminal, in columns, at which ids are shown. An id has 32 characters.
WITH_IDS = 110
Pictures = Annotated[bool, typer.Option("--pictures", help="Show the pictures of passed samples too.")]


def run(
    file: File = None, challenge: Slug = "", device: Device = None, pictures: Pictures = False, as_json: Json = False
) -> None:
    """Judge your answer with the sample tests. Exit code 0 if they pass, 1 if not."""
    with connected(screen.notice) as client:
        _shown(client, _send(client, file, challenge, "run", device), as_json=as_json, pictures=pictures)


def submit(
    file: File = None,
    challenge: Slug = "",
    device: Device = None,
    follow: Annotated[
        bool, typer.Option("--watch/--no-watch", help="Wait for the verdict, or exit after sending.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Judge your answer with all tests. Exit code 0 if it is accepted, 1 if not."""
    with connected(screen.notice) as client:
        sent = _send(client, file, challenge, "submit", device)
        if follow:
            _shown(client, sent, as_json=as_json)
        elif as_json:
            print_json(client.raw(f"/submissions/{sent.id}"))
        else:
            screen.console().print(f"Sent. See the result with: gradus status {clean.line(sent.id)}")


def compare(
    file: File = None,
    text: Annotated[
        str, typer.Option("--input", "-i", help="Python that ends with a call of your function; - reads it from stdin.")
    ] = "",
    challenge: Slug = "",
    device: Device = None,
    as_json: Json = False,
) -> None:
    """Run your answer and the reference on an input of your own. Exit code 0 if the results match, 1 if not."""
    with connected(screen.notice) as client:
        path, slug = _answer(client, file, challenge)
        offer = client.get(f"/challenges/{slug}/own-input", OwnInputOffer)
        if not offer.examples:
            raise Failure(
                f"{clean.line(slug)} cannot be run on an input of your own: no sample test calls one of its functions with "
                "plain values and tensors alone."
            )
        if not text:
            text = offer.examples[0].input
            screen.notice("No --input was given, so this example is used:")
            screen.console(errors=True).print(Text(clean.block(text).rstrip()))
        body = {
            "source": workspace.source(path),
            "input": sys.stdin.read() if text == "-" else text,
            "device": device,
        }
        sent = client.post(f"/challenges/{slug}/own-inputs", Submission, body, once=True)
        screen.notice(f"{max(0, offer.left - 1)} more own inputs are possible within the hour.")
        _shown(client, sent, as_json=as_json)


def status(
    submission: Annotated[str, typer.Argument(metavar="[ID]", help="A submission. Default: your last one.")] = "",
    follow: Annotated[
        bool, typer.Option("--watch/--no-watch", help="If it is still being judged, wait for the result.")
    ] = False,
    pictures: Pictures = False,
    as_json: Json = False,
) -> None:
    """Show a submission and its results. Exit code 1 if it ended without being accepted, otherwise 0."""
    with connected(screen.notice) as client:
        found = client.get(f"/submissions/{_identifier(client, submission)}", Submission)
        if follow or not found.unfinished:
            _shown(client, found, as_json=as_json, pictures=pictures)
        elif as_json:
            print_json(client.raw(f"/submissions/{found.id}"))
        else:
            queued = found.queue if found.status == "queued" else None
            waiting = results.waiting(queued, found.device) if queued else "It is being judged"
            screen.console().print(f"{waiting}. Wait for the result with: gradus status {clean.line(found.id)} --watch")


def history(
    challenge: Annotated[
        str,
        typer.Argument(metavar="[SLUG]", help="Only submissions for this challenge.", autocompletion=slugs.completed),
    ] = "",
    kind: Annotated[
        Literal["run", "submit", "scratch", "compare"] | None, typer.Option(help="Only submissions of this kind.")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many to show, newest first.", min=1, max=100)] = 20,
    as_json: Json = False,
) -> None:
    """List your submissions, newest first."""
    with connected(screen.notice) as client:
        page = client.get("/submissions", SubmissionPage, slug=challenge, kind=kind or "", limit=limit)
    if as_json:
        print_json(page.items)
        return
    console = screen.console()
    if not page.items:
        console.print("You have not submitted anything yet. Start with: gradus list")
        return
    wide = console.width >= WITH_IDS
    table = screen.table()
    for name in ("when", "challenge", "verdict", "points", *(("time", "id") if wide else ())):
        table.add_column(name, justify="right" if name in ("points", "time") else "left", overflow="fold")
    for sent in page.items:
        more = [Text(screen.seconds(sent.cpu_s)), Text(clean.line(sent.id), style="quiet")] if wide else []
        verdict = screen.verdict_text(sent.status, sent.verdict, sent.kind)
        points = f"{sent.score}/{sent.max_score}" if sent.verdict else "–"
        table.add_row(
            Text(screen.since(sent.created_at), style="quiet"), Text(clean.line(sent.slug)), verdict, points, *more
        )
    screen.show(console, table)
    if page.next_cursor:
        screen.notice(f"There are more: gradus history --limit {min(limit * 2, 100)}")


def _send(client: Client, file: Path | None, slug: str, kind: str, device: str | None) -> Submission:
    path, slug = _answer(client, file, slug)
    body = {"slug": slug, "source": workspace.source(path), "kind": kind, "device": device}
    try:
        return client.post("/submissions", Submission, body, once=True)
    except Failure as failure:
        if failure.code == "challenge_not_found":
            fetch(client, slug)
        raise


def _answer(client: Client, file: Path | None, slug: str) -> tuple[Path, str]:
    """Return the file of the answer, and the slug of the challenge that it answers."""
    path = workspace.find(file)
    slug = slug or workspace.slug_of(path)
    if not slug:
        raise misused(
            f"Which challenge does {path} answer? Name it with --challenge SLUG, or use a folder of `gradus pull`."
        )
    if not workspace.SLUG.fullmatch(slug):
        fetch(client, slug)
    return path, slug


def _shown(client: Client, sent: Submission, *, as_json: bool, pictures: bool = False) -> None:
    """Waits for the result and prints it. Exits with NOT_ACCEPTED unless the answer was accepted or was a scratch run."""
    console = screen.console()
    ended = watch(client, sent, console, silent=as_json) if sent.unfinished else sent
    if as_json:
        print_json(client.raw(f"/submissions/{ended.id}"))
    else:
        screen.show(console, results.rendered(ended, console, all_pictures=pictures))
    if ended.status == "cancelled" or (ended.verdict != "AC" and ended.kind != "scratch"):
        raise typer.Exit(NOT_ACCEPTED)


def _identifier(client: Client, given: str) -> str:
    if given:
        if not given.isascii() or not given.isalnum():
            raise misused(f"{clean.line(given)!r} is not the ID of a submission. `gradus history` shows them.")
        return given
    newest = client.get("/submissions", SubmissionPage, limit=1).items
    if not newest:
        raise misused("You have not submitted anything yet. Start with: gradus list")
    return newest[0].id
