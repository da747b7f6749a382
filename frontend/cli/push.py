"""`gradus push`: a challenge's folder becomes one of a team's own, and the authoring gate looks at it."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from frontend.cli import clean, screen
from frontend.cli.client import Client, connected
from frontend.cli.failure import NOT_ACCEPTED, Failure, misused
from frontend.cli.records import Record
from frontend.cli.scripts import Json, print_json

LOOK_EVERY_S = 1.5
# The service says what belongs to a folder; these are what tools leave in it, and what the gate alone writes.
PASSED_OVER = ("tests.lock", "gate.lock", "quiz.lock")
SUFFIXES = (".toml", ".md", ".py")
MOST_BYTES = 1024 * 1024


class Finding(Record, frozen=True):
    """What is to be mended, and where."""

    where: str
    text: str


class Report(Record, frozen=True):
    """What the gate found."""

    fault: str = ""
    findings: tuple[Finding, ...] = ()
    kill_rate: float = 0.0


class Own(Record, frozen=True):
    """A challenge of the team's."""

    id: str
    title: str
    version: int
    number: int
    gate: str
    findings: tuple[Finding, ...] = ()
    judgings: int = 0
    waiting: int = 0
    report: Report | None = None


class OwnPage(Record, frozen=True):
    """Challenges of the team's."""

    items: tuple[Own, ...]


Folder = Annotated[Path, typer.Argument(help="A challenge's folder, as `gradus challenge new` makes it.")]
Team = Annotated[str, typer.Option("--team", help="The team's id: it stands in the address of its page.")]


def push(
    folder: Folder,
    team: Team,
    gate: Annotated[bool, typer.Option("--gate/--no-gate", help="Have the gate look, and wait for its end.")] = True,
    as_json: Json = False,
) -> None:
    """Save a folder as a challenge of your team, and have it proven. Exit code 0 if the gate passes it, 1 if not."""
    files = _read(folder)
    path = f"/teams/{team}/challenges"
    if not team.isalnum():
        raise misused("A team's id is letters and digits: it stands in the address of its page.")
    with connected(screen.notice) as client:
        own = _saved(client, path, folder.resolve().name, files)
        if gate and not own.findings:
            client.post(f"{path}/{own.id}/gate", Own)
            own = _followed(client, f"{path}/{own.id}")
        if as_json:
            print_json(client.raw(f"{path}/{own.id}"))
        else:
            _show(own, gate=gate)
    if own.findings or (gate and own.gate != "passed"):
        raise typer.Exit(NOT_ACCEPTED)


def _read(folder: Path) -> dict[str, str]:
    if not (folder / "challenge.toml").is_file():
        raise misused(f"{clean.line(str(folder))} has no challenge.toml. Make a folder with: gradus challenge new")
    files = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith((".", "__")) for part in parts)
        if hidden or path.suffix not in SUFFIXES or path.name in PASSED_OVER or not path.is_file():
            continue
        if path.stat().st_size > MOST_BYTES:
            raise misused(f"{clean.line(str(path))} is too large to be a file of a challenge.")
        try:
            files["/".join(parts)] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise misused(f"{clean.line(str(path))} is not UTF-8. Save it as UTF-8.") from None
    return files


def _saved(client: Client, path: str, slug: str, files: dict[str, str]) -> Own:
    """The challenge of this name with these files; it is made if the team has none."""
    found = client.get(path, OwnPage, slug=slug).items
    own = found[0] if found else client.post(path, Own, {"slug": slug})
    try:
        return client.put(f"{path}/{own.id}/files", Own, {"version": own.version, "files": files})
    except Failure as failure:
        if failure.code == "own_challenge_conflict":
            raise Failure("Somebody saved this challenge at the same moment. Look at it, then push again.") from failure
        raise


def _followed(client: Client, path: str) -> Own:
    told = -1
    while (own := client.get(path, Own)).gate in ("waiting", "running"):
        if own.judgings != told:
            told = own.judgings
            screen.notice(f"{own.waiting} before it" if own.gate == "waiting" else f"{told} judgings so far")
        time.sleep(LOOK_EVERY_S)
    return own


def _show(own: Own, *, gate: bool) -> None:
    console = screen.console()
    findings = own.findings or (own.report.findings if own.report and gate else ())
    for each in findings:
        console.print(Text(f"{clean.line(each.where)}: {clean.line(each.text)}", style="bad"), soft_wrap=True)
    if own.report and own.report.fault and gate:
        console.print(Text(clean.line(own.report.fault), style="bad"), soft_wrap=True)
    name = f"{clean.line(own.title)}, version {own.number}"
    if own.findings:
        console.print(f"{name}: saved. Mend what stands above, then push again.")
    elif own.gate == "passed" and own.report:
        console.print(
            f"{name}: proven, {own.report.kill_rate:.0%} of the mutants caught. Publish it on the team's page."
        )
    else:
        console.print(f"{name}: not passed." if gate else f"{name}: saved.")
