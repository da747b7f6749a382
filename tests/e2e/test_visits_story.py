"""Tests what brings readers back, in a real browser: a visitor reads boards without an account, signs up, follows a person,
compares with the people one follows, opens the challenge of the week, shares a board, and joins the board of a team.
"""

import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import SLUG, faults, make_account, overflows
from tests.live import Candidate, Live

pytestmark = pytest.mark.docker
SIZES = [{"width": 1440, "height": 900}, {"width": 390, "height": 844}]
SIZE = pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])


@dataclass
class Solver:
    """A person who has solved a challenge, with the path of their profile."""

    name: str
    path: str
    http: httpx.Client


@pytest.fixture
def solver(live: Live, answers: Path) -> Iterator[Solver]:
    one = Candidate(live.url, f"Solver {uuid.uuid4().hex[:6]}")
    one.judged(one.submit(SLUG, (answers / "accepted" / "a-reference.py").read_text()))
    own = one.http.get("/api/me").json()
    yield Solver(own["name"], f"/people/{own['id']}", one.http)
    one.http.close()


@SIZE
def test_a_visitor_reads_boards_and_comes_back_to_follow(
    open_page: Callable[..., Page], solver: Solver, size: dict[str, int]
) -> None:
    name = solver.name
    page = open_page("/leaderboard", viewport=size, bypass_csp=True)
    expect(page.get_by_role("link", name=name).first).to_be_visible()
    expect(page.get_by_label("People you follow")).to_have_count(0)
    page.get_by_label("Section").first.click()
    page.get_by_role("option", name="architectures").click()
    page.wait_for_url("**/leaderboard?section=architectures")
    assert (faults(page), overflows(page)) == ([], False)
    page.locator(f'a[href="{solver.path}"]').first.click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.get_by_text("solved this week")).to_be_visible()
    expect(page.get_by_text("streak")).to_have_count(0)
    expect(page.get_by_role("button", name=f"Follow {name}")).to_have_count(0)
    # Signed in, the visitor follows the person from the profile, and finds them on the board of the people one follows.
    make_account(page, "Follower")
    page.reload()
    page.get_by_role("button", name=f"Follow {name}").click()
    expect(page.get_by_role("button", name=f"Unfollow {name}")).to_be_visible()
    page.goto("/leaderboard")
    page.get_by_label("People you follow").click()
    expect(page.get_by_role("columnheader", name="Overall")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(2)
    row = page.get_by_role("row").filter(has_text=name)
    assert (faults(page), overflows(page)) == ([], False)
    row.get_by_role("button", name=f"Unfollow {name}").click()
    expect(page.get_by_text("Neither you nor the people you follow")).to_be_visible()
    page.get_by_label("People you follow").click()
    page.get_by_role("row").filter(has=page.locator(f'a[href="{solver.path}"]')).get_by_role("button").click()
    own = page.context.request.get("/api/me").json()["id"]
    page.goto(f"/people/{own}")
    expect(page.get_by_text("No one follows you.")).to_be_visible()
    expect(page.get_by_role("button", name=f"Unfollow {name}")).to_be_visible()
    assert (faults(page), overflows(page)) == ([], False)
    followers = solver.http.get("/api/me/following").json()
    assert followers == {"items": [], "followers": 1}


@SIZE
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_has_the_same_challenge_of_the_week(
    open_page: Callable[..., Page], solver: Solver, size: dict[str, int], scheme: str
) -> None:
    page = open_page("/catalogue", viewport=size, color_scheme=scheme, bypass_csp=True)
    link = page.get_by_text("Challenge of the week").get_by_role("link")
    title = link.inner_text()
    link.click()
    page.wait_for_url("**/weekly")
    expect(page.get_by_role("heading", level=3, name=title)).to_be_visible()
    expect(page.get_by_text(re.compile(r"(day|hour|minute)s? left|less than a minute left"))).to_be_visible()
    assert (faults(page), overflows(page)) == ([], False)
    page.get_by_role("region", name=title).get_by_role("link", name="Start").click()
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()


@SIZE
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_board_is_shared(
    open_page: Callable[..., Page], live: Live, solver: Solver, size: dict[str, int], scheme: str
) -> None:
    page = open_page(f"/leaderboard?challenge={SLUG}", viewport=size, color_scheme=scheme, bypass_csp=True)
    expect(page.locator(f'a[href="{solver.path}"]').first).to_be_visible()
    hrefs = page.locator('head link[rel="alternate"]').evaluate_all("links => links.map(each => each.href)")
    assert [each.removeprefix(live.url) for each in hrefs] == [
        f"/api/leaderboard/feed.{form}?challenge={SLUG}" for form in ("atom", "json")
    ]
    ElementTree.fromstring(httpx.get(hrefs[0]).content)
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("link", name="Atom feed, for feed readers")).to_have_attribute("href", hrefs[0])
    image = dialog.get_by_role("img", name="Preview")
    expect(image).to_be_visible()
    page.wait_for_function("document.querySelector('dialog img, [role=dialog] img').naturalWidth > 0")
    expect(dialog.get_by_text(f'<img src="{live.url}/api/leaderboard/embed.svg?challenge={SLUG}"')).to_be_visible()
    assert (faults(page), overflows(page)) == ([], False)


def test_members_of_a_team_see_each_other_after_joining(open_page: Callable[..., Page], answers: Path) -> None:
    page = open_page("/", bypass_csp=True)
    make_account(page, "Member")
    team = page.context.request.post("/api/teams", data={"name": "Boarders"}).json()["id"]
    page.goto(f"/teams/{team}/leaderboard")
    expect(page.get_by_text("0 members of 1 joined.")).to_be_visible()
    page.get_by_role("button", name="Join the board").click()
    expect(page.get_by_text("1 member of 1 joined.")).to_be_visible()
    assert (faults(page), overflows(page)) == ([], False)
    page.get_by_role("button", name="Leave the board").click()
    expect(page.get_by_role("button", name="Join the board")).to_be_visible()
    stranger = open_page(f"/teams/{team}/leaderboard")
    expect(stranger.get_by_text("Sign in").first).to_be_visible()
