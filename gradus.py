"""So that `%load_ext gradus` finds the notebook's magic (see frontend/cli/notebook.py)."""

from frontend.cli.notebook import load_ipython_extension

__all__ = ["load_ipython_extension"]
