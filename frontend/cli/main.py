"""The one `gradus` program: every room adds its commands through the entry-point group `gradus.commands`."""

from importlib.metadata import entry_points

import typer

app = typer.Typer(no_args_is_help=True, help="Gradus: auto-graded PyTorch challenges.")

for _point in sorted(entry_points(group="gradus.commands"), key=lambda point: point.name):
    app.add_typer(_point.load(), name=_point.name)


if __name__ == "__main__":
    app()
