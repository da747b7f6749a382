"""Defines the commands `gradus list`, `show`, `pull` and `open`, which show challenges and download them to folders."""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

import typer
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from frontend.cli import clean, workspace
from frontend.cli.failure import Failure, misused
from frontend.cli.rendering import screen, statement
from frontend.cli.scripts import Json, print_json
from frontend.cli.service import servers, slugs
from frontend.cli.service.client import Client, connected
from frontend.cli.service.records import Card, Challenge, Hints, Track

Slug = Annotated[str, typer.Argument(help="A challenge, as `gradus list` names it.", autocompletion=slugs.completed)]
Section = Annotated[str, typer.Option("--section", "-s", help="Only this section, such as losses.")]
Topic = Annotated[str, typer.Option("--topic", "-t", help="Only challenges with this topic.")]
Difficulty = Annotated[
    Literal["easy", "medium", "hard"] | None,
    typer.Option("--difficulty", "-d", help="Only challenges of this difficulty."),
]
Status = Annotated[
    Literal["new", "tried", "solved"] | None, typer.Option(help="Only challenges with this status for you.")
]
Form = Annotated[Literal["write", "fix"] | None, typer.Option(help="Challenges to write, or broken code to fix.")]


def list_challenges(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    words: Annotated[list[str] | None, typer.Argument(help="Words to search for in titles and statements.")] = None,
    section: Section = "",
    difficulty: Difficulty = None,
    topic: Topic = "",
    form: Form = None,
    status: Status = None,
    as_json: Json = False,
) -> None:
    """List the challenges, by section and difficulty."""
    filters = {"section": section, "difficulty": difficulty or "", "topic": topic, "status": status or ""}
    filters["q"] = " ".join(words or ())
    with connected(screen.notice) as client:
        found = [card for card in slugs.cards(client, **filters) if form in (None, card.form)]
    if as_json:
        print_json(found)
        return
    console = screen.console()
    if not found:
        console.print("No challenge matches. Leave out a filter, or search for fewer words.")
        return
    screen.show(console, _table(found, console))
    console.print(
        Text(f"{len(found)} challenge{'s' * (len(found) != 1)}. Read one with: gradus show SLUG", style="quiet")
    )


def show(
    slug: Slug, as_json: Json = False, hints: Annotated[bool, typer.Option(help="Also show the hints.")] = False
) -> None:
    """Show a challenge's statement, samples and limits."""
    with connected(screen.notice) as client:
        challenge = fetch(client, slug)
        found = client.get(f"/challenges/{challenge.slug}/hints", Hints).hints if hints else []
    if as_json:
        print_json(challenge)
        return
    console = screen.console()
    # Long lines are hard to read, even in a wide window.
    screen.show(console, _page(challenge, found), width=min(console.width, 100))


def pull(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SLUG]...", help="The challenges to pull.", autocompletion=slugs.completed),
    ] = None,
    track: Annotated[str, typer.Option(help="All challenges of this track.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="All challenges.")] = False,
    to: Annotated[Path, typer.Option("--to", help="The folder in which to create them.", file_okay=False)] = Path(),
) -> None:
    """Make a folder for a challenge: answer.py, statement, samples. Never overwrites your answer."""
    with connected(screen.notice) as client:
        wanted = _wanted(client, names or [], track, everything=everything)
        for slug in wanted:
            _report(workspace.pull(fetch(client, slug), to, client.url), one=len(wanted) == 1)


def open_page(
    slug: Annotated[
        str, typer.Argument(help="A challenge. Default: the one of this folder.", autocompletion=slugs.completed)
    ] = "",
    only_print: Annotated[bool, typer.Option("--print", help="Print the URL instead of opening it.")] = False,
) -> None:
    """Open a challenge's page in the browser."""
    url, _ = servers.current()
    slug = slug or workspace.slug_of(Path(workspace.ANSWER))
    address = f"{url}/challenges/{quote(slug, safe='')}" if slug else f"{url}/catalogue"
    if only_print or typer.launch(address) != 0:
        screen.console().print(address, soft_wrap=True)


def fetch(client: Client, slug: str) -> Challenge:
    """Fetches a challenge. If there is no such challenge, raises a `Failure` that suggests similar slugs."""
    # Text that is not a valid slug must not become part of a URL's path. In this case, the client does not ask the service for
    # the challenge, and only suggests similar slugs.
    if workspace.SLUG.fullmatch(slug):
        try:
            return client.get(f"/challenges/{slug}", Challenge)
        except Failure as failure:
            if failure.code != "challenge_not_found":
                raise
    alike = slugs.near(client, slug)
    meant = f"Did you mean {' or '.join(clean.line(each) for each in alike)}?" if alike else "`gradus list` shows all."
    raise misused(f"There is no challenge {clean.line(slug)!r}. {meant}")


def _wanted(client: Client, names: list[str], track: str, *, everything: bool) -> list[str]:
    if bool(names) + bool(track) + everything != 1:
        raise misused("Name challenges, or a track with --track, or all of them with --all.")
    if everything:
        return [card.slug for card in slugs.cards(client)]
    if not track:
        return list(dict.fromkeys(names))
    if not workspace.SLUG.fullmatch(track):
        raise misused(f"{track!r} is not the name of a track. The page {client.url}/tracks lists them.")
    stages = client.get(f"/tracks/{track}", Track).stages
    return list(dict.fromkeys(slug for stage in stages for topic in stage.topics for slug in topic.challenges))


def _report(pulled: workspace.Pulled, *, one: bool) -> None:
    line = Text(f"{pulled.folder}/", style="key")
    if pulled.changed:
        line.append("  the challenge has changed: read its statement again", style="wait")
    elif pulled.kept_answer:
        line.append("  your answer was kept", style="quiet")
    console = screen.console()
    console.print(line, soft_wrap=True)
    if one and not pulled.kept_answer:
        text = f"Write {pulled.folder / workspace.ANSWER}, then: gradus run {pulled.folder}"
        console.print(Text(text, style="quiet"), soft_wrap=True)


def _table(cards: list[Card], console: Console) -> Table:
    wide = console.width >= screen.NARROW
    table = screen.table()
    for name in ("slug", "title") if wide else ("challenge",):
        table.add_column(name, overflow="fold", no_wrap=name == "slug")
    for name in ("level", "section") if wide else ("level",):
        table.add_column(name, no_wrap=True)
    table.add_column("min", justify="right")
    for card in cards:
        slug, title = Text(clean.line(card.slug)), Text(clean.line(card.title))
        level = Text(
            card.difficulty, style=card.difficulty if card.difficulty in ("easy", "medium", "hard") else "default"
        )
        section = Text(clean.line(card.section), style="quiet")
        names = [slug, title] if wide else [slug.append(f"\n{title}", style="quiet")]
        table.add_row(*names, level, *([section] if wide else []), str(card.minutes))
    return table


def _page(challenge: Challenge, hints: list[str]) -> RenderableType:
    facts = [challenge.difficulty, challenge.section, f"{challenge.minutes} min", f"{challenge.points} points"]
    facts += [
        f"{challenge.tests_count} tests",
        f"{challenge.limits.cpu_s:g} s of CPU time",
        f"{challenge.limits.memory_mb} MB",
    ]
    parts: list[RenderableType] = [
        Text(clean.line(challenge.title), style="key"),
        Text(" · ".join(clean.line(fact) for fact in facts), style="quiet"),
        Text(),
        statement.rendered(challenge.statement),
        Text(),
    ]
    parts += [Text("Samples", style="key")] if challenge.samples else []
    parts += [statement.rendered(f"```python\n{sample.source.strip()}\n```") for sample in challenge.samples]
    if hints:
        parts += [Padding(Text(f"{at}. {clean.line(hint)}"), (0, 0, 1, 0)) for at, hint in enumerate(hints, start=1)]
    elif challenge.hints_count:
        parts.append(Text(f"{challenge.hints_count} hints: gradus show {challenge.slug} --hints", style="quiet"))
    parts.append(Text(f"Start with: gradus pull {challenge.slug}", style="quiet"))
    return Group(*parts)
