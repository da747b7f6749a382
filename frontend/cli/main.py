"""Defines the program `gradus`. It has the commands of the terminal client, and the commands that other packages add through
the entry-point group `gradus.commands`.

The program imports another package only to run one of its commands. So `gradus submit` imports neither the service nor torch.
"""

import gc
from importlib.metadata import entry_points
from typing import Any

import typer
from rich.text import Text
from typer.core import TyperGroup
from typer.main import get_command

from frontend.cli.commands import accounts, answers, catalogue, leaderboard, push, quiz
from frontend.cli.failure import INTERRUPTED, Failure
from frontend.cli.rendering import screen

HELP = """Gradus: auto-graded PyTorch challenges, from your own editor.

Exit codes: 0 done or accepted, 1 not accepted, 2 wrong usage, 3 refused or no response, 130 stopped with Ctrl+C."""


class Program(TyperGroup):
    """Adds the commands of other packages to the client's own, and reports the failures of all commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Lists the client's commands in the order in which they were added, then the commands of other packages by name."""
        return [*super().list_commands(ctx), *sorted(point.name for point in _entry_points())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Returns the command called `cmd_name`. If it belongs to another package, imports this package. If the import fails,
        returns a command that only prints the reason.
        """
        own = super().get_command(ctx, cmd_name)
        point = next((point for point in _entry_points() if point.name == cmd_name), None)
        if own is not None or point is None:
            return own
        # Imports create almost no garbage, but collecting it would take a third of the time of the import.
        gc.disable()
        try:
            command = get_command(point.load())
        except ImportError as error:
            return _not_installed(cmd_name, str(error)) if not ctx.resilient_parsing else None
        finally:
            gc.enable()
        command.name = cmd_name
        return command

    def invoke(self, ctx: Any) -> Any:
        """Runs a command. Turns a `Failure` into one sentence on stderr and an exit code."""
        try:
            return super().invoke(ctx)
        except Failure as failure:
            screen.console(errors=True).print(Text(failure.message), soft_wrap=True)
            raise typer.Exit(failure.exit_code) from failure
        except KeyboardInterrupt as stop:
            raise typer.Exit(INTERRUPTED) from stop


def _entry_points() -> list[Any]:
    return list(entry_points(group="gradus.commands"))


def _not_installed(name: str, why: str) -> Any:
    stub = typer.Typer()

    @stub.command(help="Not installed.", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
    def absent() -> None:
        raise Failure(
            f"`gradus {name}` is not installed here ({why}). Install the package with its extras: gradus[api,grader]."
        )

    return get_command(stub)


app = typer.Typer(cls=Program, no_args_is_help=True, help=HELP, pretty_exceptions_show_locals=False)
for _name, _command in (
    ("login", accounts.login),
    ("logout", accounts.logout),
    ("whoami", accounts.whoami),
    ("use", accounts.use),
    ("list", catalogue.list_challenges),
    ("show", catalogue.show),
    ("pull", catalogue.pull),
    ("open", catalogue.open_page),
    ("run", answers.run),
    ("submit", answers.submit),
    ("compare", answers.compare),
    ("status", answers.status),
    ("history", answers.history),
    ("leaderboard", leaderboard.leaderboard),
    ("quiz", quiz.quiz),
    ("push", push.push),
):
    app.command(_name)(_command)


if __name__ == "__main__":
    app()
