"""Checks that the editor explains the torch that judges: frontend/web/public/torch-docs.json fits the installed version."""

import runpy
from pathlib import Path

WEB = Path(__file__).parents[1] / "frontend/web"


def test_the_editors_file_about_torch_is_current() -> None:
    made = runpy.run_path(str(WEB / "scripts/torch_docs.py"))["main"]()
    assert made == (WEB / "public/torch-docs.json").read_text(), "run: python frontend/web/scripts/torch_docs.py"
