"""Tests what the editor knows about Python and torch: it formats, completes names, and explains them. Tests that a result says
when the code has changed since.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.newcomer import ALLOWED
from tests.e2e.pages import PATIENT_MS, SLUG, faults, write

pytestmark = pytest.mark.docker
# A list of completions ignores Enter until it has been there for a moment.
SETTLED_MS = 300
MESSY = "import torch\ndef attention( q,k,v,mask = None ):\n    return torch.softmax(q@k.mT,dim = -1)@v   \n"
NEAT = """import torch


def attention(q, k, v, mask=None):
    return torch.softmax(q @ k.mT, dim=-1) @ v
"""


def text(page: Page) -> str:
    return "\n".join(line.rstrip() for line in page.locator(".cm-line").all_inner_texts())


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    page = open_page(f"/challenges/{SLUG}", permissions=ALLOWED)
    expect(page.locator(".cm-content")).to_be_visible()
    return page


def test_code_is_formatted_and_what_is_no_python_is_left_alone(page: Page) -> None:
    write(page, MESSY)
    button = page.get_by_role("button", name="Format (Ruff)")
    button.click()
    expect(page.locator(".cm-line").first).to_have_text("import torch")
    expect(page.get_by_text("def attention(q, k, v, mask=None):")).to_be_visible()
    assert text(page) == NEAT
    page.keyboard.press("Control+z")
    assert text(page) == MESSY.replace("   \n", "\n")
    write(page, "def attention(:\n")
    button.click()
    expect(page.get_by_text("Not formatted: this is not valid Python.")).to_be_visible()
    assert text(page) == "def attention(:\n"


def test_names_of_torch_are_completed_and_explained(page: Page) -> None:
    write(page, "import torch.nn.functional as F\nx = ")
    page.keyboard.type("F.cross_entr")
    options = page.get_by_role("listbox")
    expect(options.get_by_role("option", name="cross_entropy", exact=True)).to_be_visible()
    expect(page.get_by_text("Compute the cross entropy loss between input logits and target.")).to_be_visible()
    page.wait_for_timeout(SETTLED_MS)
    page.keyboard.press("Enter")
    page.keyboard.type("(")
    expect(page.get_by_text("cross_entropy(input, target, weight=None").first).to_be_visible()
    page.keyboard.press("Escape")
    # The pointer rests on the name, which begins after the sixth character of the line.
    line = page.locator(".cm-line").last.bounding_box()
    assert line
    page.mouse.move(line["x"] + 90, line["y"] + line["height"] / 2)
    page.mouse.move(line["x"] + 95, line["y"] + line["height"] / 2)
    expect(page.locator(".cm-torch-docs p")).to_have_text(
        "Compute the cross entropy loss between input logits and target."
    )


def test_a_result_says_that_the_code_has_changed_since(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/challenges/{SLUG}", bypass_csp=True)
    page.get_by_role("button", name="Run samples").click()
    results = page.get_by_role("tabpanel", name="Results")
    expect(results.get_by_text("samples", exact=False).first).to_be_visible(timeout=PATIENT_MS)
    changed = results.get_by_text("Your code has changed since this result.")
    expect(changed).to_have_count(0)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# x")
    expect(changed).to_be_visible()
    assert faults(page) == []
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    for _ in "# x":
        page.keyboard.press("Backspace")
    expect(changed).to_have_count(0)
    page.reload()
    expect(results.get_by_text("samples", exact=False).first).to_be_visible(timeout=PATIENT_MS)
    expect(changed).to_have_count(0)
