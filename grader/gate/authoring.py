"""Defines two commands for authors that run no answers: `gradus challenge new` and `gradus challenge preview`."""

import webbrowser
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from grader.content.authoring import scaffold
from grader.contract.errors import PackageError

console = Console()
PORT = 8765

Root = Annotated[Path, typer.Option(help="Folder of challenges.")]


class EntryKind(StrEnum):
    """The kinds of entry that `gradus challenge new` can create. An entry is something that an answer must define."""

    function = "function"
    class_ = "class"
    module = "module"
    autograd_function = "autograd_function"


class Form(StrEnum):
    """What candidates do: write the answer (`write`), or repair the broken code in starter.py (`fix`)."""

    write = "write"
    fix = "fix"


def new_command(
    place: Annotated[str, typer.Argument(help="<section>/<slug>, for example layers/group-norm.", show_default=False)],
    kind: Annotated[EntryKind, typer.Option(help="What the answer must define.")] = EntryKind.function,
    form: Annotated[Form, typer.Option(help="Write the answer, or fix the code of the starter.")] = Form.write,
    topic: Annotated[
        bool, typer.Option("--topic", help="Create a topic (page and quiz) instead of a challenge.")
    ] = False,
    root: Root = Path("challenges"),
) -> None:
    """Write the files of a new challenge or topic. Afterwards, `gradus challenge check` lists what you still have to write."""
    section, _, name = place.partition("/")
    try:
        if topic:
            folder = scaffold.new_topic(root, section, name)
        else:
            folder = scaffold.new_challenge(root, section, name, kind=kind.value, form=form.value)
    except PackageError as error:
        console.print(f"[red]{error}[/red]", soft_wrap=True)
        raise typer.Exit(1) from None
    console.print(
        f"[green]{folder}[/green]: {len(list(scaffold.unwritten_lines(folder)))} things to write, each with a ✎"
    )
    console.print(f"  gradus challenge check {name}     says which")
    console.print(f"  gradus challenge preview {name}   shows the page while you write")
    console.print(f"  gradus challenge lock {name}      once the tests and two accepted answers are there")


def preview_command(
    name: Annotated[str, typer.Argument(help="A slug or the ID of a topic. Default: the list of all.")] = "",
    root: Root = Path("challenges"),
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0 selects a free port.")] = PORT,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
) -> None:
    """Show the page of a challenge or topic, and reload it whenever a file is saved. Ctrl-C ends it."""
    from grader.gate.preview.server import address, server

    path = address(root, name)
    if path is None:
        console.print(f"[red]There is neither a challenge nor a topic {name!r} below {root}.[/red]")
        raise typer.Exit(1)
    try:
        serving = server(root, port)
    except OSError as error:
        console.print(f"[red]127.0.0.1:{port} cannot be had ({error.strerror}): choose another --port.[/red]")
        raise typer.Exit(1) from None
    url = f"http://127.0.0.1:{serving.server_address[1]}{path}"
    console.print(f"{url}   (Ctrl-C ends it)")
    if browser:
        webbrowser.open(url)
    try:
        serving.serve_forever()
    except KeyboardInterrupt:
        console.print("ended")
    finally:
        serving.server_close()
