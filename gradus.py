"""Makes `%load_ext gradus` work in a notebook: IPython looks for the extension in this module. See
frontend/cli/commands/notebook.py.
"""

from frontend.cli.commands.notebook import load_ipython_extension

__all__ = ["load_ipython_extension"]
