"""Tests what a visitor can do before opening a challenge: run the example on the home page. Also tests that a challenge can be
downloaded as a notebook.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, SLUG, faults

pytestmark = pytest.mark.docker
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, PHONE], ids=["desktop", "phone"])
def test_a_visitor_runs_the_example_and_goes_on_with_it(open_page: Callable[..., Page], size: dict[str, int]) -> None:
    page = open_page("/", viewport=size, bypass_csp=True)
    example = page.get_by_role("figure", name="An example answer and its test results")
    example.get_by_role("button", name="Run it").click()
    expect(example.get_by_text(re.compile(r"^\d+ of \d+ tests passed$"))).to_be_visible(timeout=PATIENT_MS)
    expect(example.get_by_text("✗").first).to_be_visible()
    expect(example.get_by_role("listitem").filter(has_text=re.compile("nothing to attend to$"))).to_be_visible()
    # Running it made the visitor a guest. The introduction stays all the same.
    expect(page.get_by_role("heading", name="Prove that you can write PyTorch")).to_be_visible()
    assert faults(page) == []
    example.get_by_role("link", name="Open the challenge and fix it").click()
    page.wait_for_url(f"**/challenges/{SLUG}")


def test_a_challenge_is_downloaded_as_a_notebook(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(f"/challenges/{SLUG}")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download as a notebook").click()
    assert started.value.suggested_filename == f"{SLUG}.ipynb"
    started.value.save_as(tmp_path / "book.ipynb")
    book = json.loads((tmp_path / "book.ipynb").read_text())
    kinds = [cell["cell_type"] for cell in book["cells"]]
    assert kinds == ["markdown", "markdown", "code", "code", "markdown"]
    assert "def attention" in book["cells"][3]["source"]
    assert f"/challenges/{SLUG}" in book["cells"][0]["source"]
