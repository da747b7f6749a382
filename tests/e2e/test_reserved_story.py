"""Tests, in a real browser, that members of a team can read a challenge that is reserved for assessments. They read it on the
page on which they choose challenges.
"""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.api.challenge_folders import write_challenge
from tests.api.hiring.assessments.test_reserved import reserve
from tests.api.topic_folders import with_picture, write_topic
from tests.e2e.pages import faults, make_account, overflows
from tests.e2e.test_builder_story import PHONE, new_assessment
from tests.live import Live, service_without_node

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service with a public and a reserved challenge. It judges nothing."""
    root = tmp_path_factory.mktemp("challenges")
    write_challenge(root)
    write_topic(root)
    reserve(root, "add-three", title="Add three")
    with_picture(root / "basics" / "add-three")
    with service_without_node(tmp_path_factory.mktemp("reserved"), challenges=root) as running:
        yield running


def test_a_reserved_challenge_is_read_from_the_picker_and_from_the_plan(open_page: Callable[..., Page]) -> None:
    page = open_page("/catalogue", bypass_csp=True)
    make_account(page, "Ada")
    page.goto(new_assessment(page))
    page.get_by_role("button", name="Empty").click()
    page.get_by_role("button", name="Add items").click()
    chooser = page.get_by_role("dialog")
    with page.expect_popup() as opening:
        chooser.get_by_role("link", name="Add three").click()
    read = opening.value
    expect(read.get_by_role("heading", name="Add three")).to_be_visible()
    expect(read.get_by_text("not in the public catalogue")).to_be_visible()
    drawing = read.get_by_role("img", name="Up")
    expect(drawing).to_be_visible()
    assert drawing.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    read.get_by_role("tab", name="Starter code").click()
    expect(read.get_by_text("def add_one")).to_be_visible()
    read.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert not overflows(read)
    chooser.get_by_role("button", name="Add Add three").click()
    chooser.get_by_role("button", name="Done").click()
    expect(page.get_by_role("link", name="Add three")).to_have_attribute("href", urlsplit(read.url).path)
    assert faults(page) == []
