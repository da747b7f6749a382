"""So that `%load_ext gradus` finds the notebook's magic (see frontend/cli/commands/notebook.py)."""

from frontend.cli.commands.notebook import load_ipython_extension

__all__ = ["load_ipython_extension"]
