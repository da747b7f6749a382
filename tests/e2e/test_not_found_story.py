"""Tests what visitors see at an address that leads nowhere: a page that says so, and suggests what they may have meant. Also
tests that visitors are asked to sign in where a page is somebody's own.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import faults

pytestmark = pytest.mark.docker


def test_a_misspelt_challenge_leads_to_the_right_one(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges/atention-sink", viewport={"width": 390, "height": 844}, bypass_csp=True)
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(page.get_by_text("There is no challenge 'atention-sink'.")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("link", name="Attention sinks: a cache for endless text").click()
    page.wait_for_url("**/challenges/attention-sinks")
    expect(page.get_by_role("heading", level=1, name="Attention sinks")).to_be_visible()


def test_a_visitor_of_the_admin_area_is_asked_to_sign_in(open_page: Callable[..., Page]) -> None:
    page = open_page("/admin", bypass_csp=True)
    expect(page.get_by_role("heading", level=1, name="Admin")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()
    assert faults(page) == []


def test_a_challenge_for_gpus_says_what_is_missing(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges/triton-softmax-and-matmul", viewport={"width": 390, "height": 844}, bypass_csp=True)
    expect(page.get_by_role("heading", level=1, name="This challenge needs a GPU")).to_be_visible()
    expect(page.get_by_text("this site has no GPU node")).to_be_visible()
    assert faults(page) == []


@pytest.mark.parametrize("path", ["/people/nobody", "/no-such-page", f"/people/{'0' * 32}"])
def test_a_malformed_address_is_told_in_plain_words(open_page: Callable[..., Page], path: str) -> None:
    page = open_page(path)
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(page.get_by_text("String should match")).not_to_be_visible()


@pytest.mark.parametrize("path", ["/interview/1", "/account"])
def test_a_visitor_is_asked_to_sign_in(open_page: Callable[..., Page], path: str) -> None:
    page = open_page(path)
    page.get_by_role("main").get_by_role("link", name="create an account").click()
    page.wait_for_url(f"**/sign-in?new=1&then={path.replace('/', '%2F')}")
