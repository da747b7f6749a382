"""Tests revision in a real browser: a card is learnt with the keyboard alone, graded, and shown again when it is due."""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, TOPIC, faults
from tests.live import Live

pytestmark = pytest.mark.docker


def test_a_card_is_learnt_by_keyboard_and_comes_back_by_the_clock(open_page: Callable[..., Page], live: Live) -> None:
    page = open_page(f"/topics/{TOPIC}", bypass_csp=True)
    page.get_by_role("button", name="Add to my cards").click()
    page.get_by_role("link", name="In your cards").click()
    card = page.get_by_role("article", name="Card")
    expect(card).to_be_visible(timeout=PATIENT_MS)
    first = card.inner_text()
    expect(page.get_by_role("button", name="Good")).to_have_count(0)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Good")).to_contain_text("2 d")
    assert faults(page) == []
    page.keyboard.press("3")
    expect(page.get_by_text("1 done today")).to_be_visible()
    expect(card).not_to_have_text(first)
    # Undo the grade. The card must be shown again, as before the grade.
    page.keyboard.press("u")
    expect(page.get_by_text("0 done today")).to_be_visible()
    assert card.inner_text() == first
    page.keyboard.press("Space")
    page.keyboard.press("3")
    expect(page.get_by_text("1 done today")).to_be_visible()
    two_days_later(live)
    page.reload()
    expect(page.get_by_text("1 due", exact=True)).to_be_visible(timeout=PATIENT_MS)
    assert "due" in card.inner_text()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Good")).not_to_contain_text("2 d")


def two_days_later(live: Live) -> None:
    """Move the stored times two days back, because the service's clock cannot be set."""
    with sqlite3.connect(live.data / "gradus.db", timeout=10) as database:
        for account, card, *moments in database.execute(
            "SELECT account_id, card, due, last_review, learnt_at FROM card_state WHERE learnt_at IS NOT NULL"
        ).fetchall():
            moved = [(_moment(moment) - timedelta(days=2)).strftime("%Y-%m-%d %H:%M:%S.%f") for moment in moments]
            database.execute(
                "UPDATE card_state SET due = ?, last_review = ?, learnt_at = ? WHERE account_id = ? AND card = ?",
                (*moved, account, card),
            )
    database.close()


def _moment(stored: str) -> datetime:
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)
