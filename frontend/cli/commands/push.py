"""Defines the command `gradus push`. It uploads the folder of a challenge to a team and runs the authoring gate on it."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from frontend.cli import clean
from frontend.cli.failure import NOT_ACCEPTED, Failure, misused
from frontend.cli.rendering import screen
from frontend.cli.scripts import Json, print_json
from frontend.cli.service.client import Client, connected
from frontend.cli.service.records import Record

LOOK_EVERY_S = 1.5
# Files that are not uploaded, because only the gate writes them. The service decides which of the uploaded files are allowed.
PASSED_OVER = ("tests.lock", "gate.lock", "quiz.lock")
SUFFIXES = (".toml", ".md", ".py")
MOST_BYTES = 1024 * 1024


class Finding(Record, frozen=True):
    """A problem that the author must fix. `where` names the place, and `text` says what to do. With `blocks`, the gate does not
    run before it is fixed.
    """

    where: str
    text: str
    blocks: bool = True


class Report(Record, frozen=True):
    """The authoring gate's report on the challenge."""

    fault: str = ""
    findings: tuple[Finding, ...] = ()
    kill_rate: float = 0.0


class OwnChallenge(Record, frozen=True):
    """A challenge of the team."""

    id: str
    title: str
    version: int
    number: int
    gate: str
    findings: tuple[Finding, ...] = ()
    judgings: int = 0
    waiting: int = 0
    report: Report | None = None

    @property
    def blocked(self) -> bool:
        """Whether something must be fixed before the gate can run."""
        return any(each.blocks for each in self.findings)


class OwnPage(Record, frozen=True):
    """A list of the team's challenges."""

    items: tuple[OwnChallenge, ...]


Folder = Annotated[Path, typer.Argument(help="A challenge's folder, as `gradus challenge new` makes it.")]
Team = Annotated[str, typer.Option("--team", help="The team's ID, from the URL of its page.")]


def push(
    folder: Folder,
    team: Team,
    gate: Annotated[
        bool, typer.Option("--gate/--no-gate", help="Run the authoring gate, and wait for the result.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Save a folder as a challenge of your team, and run the authoring gate on it. Exit code 0 if it passes, 1 if not."""
    files = _read(folder)
    path = f"/teams/{team}/challenges"
    if not team.isalnum():
        raise misused("A team's ID consists of letters and digits. It is part of the URL of the team's page.")
    with connected(screen.notice) as client:
        own = _saved(client, path, folder.resolve().name, files)
        if gate and not own.blocked:
            client.post(f"{path}/{own.id}/gate", OwnChallenge)
            own = _followed(client, f"{path}/{own.id}")
        if as_json:
            print_json(client.raw(f"{path}/{own.id}"))
        else:
            _show(own, gate=gate)
    if own.blocked or (gate and own.gate != "passed"):
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
            raise misused(f"{clean.line(str(path))} is too large for a file of a challenge.")
        try:
            files["/".join(parts)] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise misused(f"{clean.line(str(path))} is not UTF-8. Save it as UTF-8.") from None
    return files


def _saved(client: Client, path: str, slug: str, files: dict[str, str]) -> OwnChallenge:
    """Saves the files as the team's challenge `slug`. Creates this challenge if it does not exist."""
    found = client.get(path, OwnPage, slug=slug).items
    own = found[0] if found else client.post(path, OwnChallenge, {"slug": slug})
    try:
        return client.put(f"{path}/{own.id}/files", OwnChallenge, {"version": own.version, "files": files})
    except Failure as failure:
        if failure.code == "own_challenge_conflict":
            raise Failure(
                "Another member saved this challenge at the same moment. Check it on the page, then push again."
            ) from failure
        raise


def _followed(client: Client, path: str) -> OwnChallenge:
    shown = -1
    while (own := client.get(path, OwnChallenge)).gate in ("waiting", "running"):
        if own.judgings != shown:
            shown = own.judgings
            screen.notice(f"{own.waiting} before it" if own.gate == "waiting" else f"{shown} test runs so far")
        time.sleep(LOOK_EVERY_S)
    return own


def _show(own: OwnChallenge, *, gate: bool) -> None:
    console = screen.console()
    findings = own.findings or (own.report.findings if own.report and gate else ())
    for each in findings:
        style = "bad" if each.blocks else "wait"
        console.print(Text(f"{clean.line(each.where)}: {clean.line(each.text)}", style=style), soft_wrap=True)
    if own.report and own.report.fault and gate:
        console.print(Text(clean.line(own.report.fault), style="bad"), soft_wrap=True)
    name = f"{clean.line(own.title)}, version {own.number}"
    if own.blocked:
        console.print(f"{name}: saved. Fix the problems above, then push again.")
    elif own.gate == "passed" and own.report:
        console.print(
            f"{name}: proven, {own.report.kill_rate:.0%} of the mutants caught. Publish it on the team's page."
        )
    else:
        console.print(f"{name}: not passed." if gate else f"{name}: saved.")
