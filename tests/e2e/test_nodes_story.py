"""Tests that an admin can let a machine join, drain it and remove it. The page must fit on a phone, and axe must find no
faults on it.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages import PATIENT_MS, faults
from tests.live import ROOT, Live, service_without_node
from tests.nats_server import NatsServer, nats_server

NAME = "gpu-frankfurt-1"
PASSWORD = "a good long one"


def enter(browser: Browser, live: Live) -> Page:
    """Create the first admin, and open the page of nodes."""
    account = {"email": "root@example.org", "name": "Root", "password": PASSWORD}
    made = httpx.post(f"{live.url}/api/setup", json={"token": live.setup_token(), **account}, timeout=30)
    assert made.status_code == 201, made.text
    page = browser.new_page(base_url=live.url, bypass_csp=True)
    page.set_default_timeout(PATIENT_MS)
    page.goto("/sign-in?then=/admin/queue")
    page.get_by_label("Email").fill(account["email"])
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    return page


@contextmanager
def joined(server: NatsServer, token: str, data: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """During the `with` block, run a simulated node that joins over NATS, like a node on another machine."""
    told = ["--url", server.open_url, "--token", token, "--data", str(data), "--slots", "4"]
    node = subprocess.Popen([sys.executable, "-m", "tests.instant_node", *told], cwd=ROOT)
    try:
        yield node
    finally:
        node.kill()
        node.wait()


def fits(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for scheme in ("light", "dark"):
        page.evaluate("scheme => localStorage.setItem('mantine-color-scheme-value', scheme)", scheme)
        page.reload()
        expect(page.get_by_role("button", name="Revoke")).to_be_visible()
        assert faults(page) == [], scheme


def test_a_machine_joins_is_drained_and_is_shut_out(browser: Browser, tmp_path: Path) -> None:
    with nats_server(tmp_path / "nats") as server:
        settings = {"nats_url": server.url, "nats_users": str(server.users)}
        with service_without_node(tmp_path / "data", **settings) as live:
            page = enter(browser, live)
            expect(page.get_by_text("No node is connected")).to_be_visible()
            page.get_by_role("button", name="Create token").click()
            page.get_by_label("Node name").fill(NAME)
            page.get_by_role("button", name="Create token", exact=True).click()
            command = page.get_by_text("gradus node --url").inner_text()
            assert faults(page) == []
            node = page.get_by_role("article").filter(has_text=NAME)
            expect(node).to_contain_text("Missing")
            expect(node).to_contain_text("never joined, expected since")
            expect(page.get_by_text("0 of 1 expected node connected.")).to_be_visible()
            fits(page)
            page.set_viewport_size({"width": 1440, "height": 900})
            with joined(server, command.rpartition(" ")[2], tmp_path / "node") as process:
                expect(node).to_contain_text("In service")
                expect(node).to_contain_text("0 of 4 slots busy")
                node.get_by_role("button", name="Drain").click()
                page.get_by_role("dialog").get_by_role("button", name="Drain").click()
                expect(node).to_contain_text("Drained")
                fits(page)
                page.get_by_role("button", name="Revoke").click()
                page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
                expect(page.get_by_text("No tokens yet.")).to_be_visible()
                assert process.wait(60) == 3
            expect(page.get_by_text("No node is connected")).to_be_visible()
            page.context.close()
