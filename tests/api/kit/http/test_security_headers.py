"""Tests that every kind of response carries the security headers."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.running_service import Service, running, settings_in

pytestmark = pytest.mark.anyio
EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
NOWHERE = ("server", "x-powered-by", "access-control-allow-origin", "strict-transport-security")


async def kinds_of_answers(service: Service) -> dict[str, httpx.Response]:
    """Return one response of each kind, such as a page, an API response or an error, by a name for the kind."""
    ada = await service.person()
    sent = await ada.send()
    await ada.http.post(f"/api/submissions/{sent['id']}/cancel")
    etag = (await ada.http.get("/api/challenges")).headers["etag"]
    token = (await ada.http.post("/api/me/tokens", json={"name": "x"})).json()
    return {
        "page 200": await ada.http.get("/"),
        "docs 200": await ada.http.get("/api/docs"),
        "description 200": await ada.http.get("/api/openapi.json"),
        "json 200": await ada.http.get("/api/me"),
        "public 200": await ada.http.get("/api/challenges"),
        "stream 200": await ada.http.get(f"/api/submissions/{sent['id']}/events"),
        "created 201": await ada.http.post("/api/me/tokens", json={"name": "y"}),
        "empty 204": await ada.http.delete(f"/api/me/tokens/{token['id']}"),
        "unchanged 304": await ada.http.get("/api/challenges", headers={"If-None-Match": etag}),
        "nobody 401": await service.client().get("/api/me/tokens"),
        "elsewhere 403": await ada.http.delete("/api/session", headers={"Origin": "null"}),
        "missing 404": await ada.http.get("/nothing"),
        "method 405": await ada.http.put("/api/me"),
        "large 413": await ada.http.post("/api/submissions", content=b" " * 3_000_000),
        "long 414": await ada.http.get("/" + "x" * 9000),
        "wrong name 421": await ada.http.get("/", headers={"Host": "evil.example"}),
        "malformed 422": await ada.http.post("/api/submissions", json={}),
        "heads 431": await ada.http.get("/", headers={"X-Long": "x" * 30_000}),
        "not ready 503": await ada.http.get("/api/ready"),
    }


async def test_every_kind_of_answer_has_every_header(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = await kinds_of_answers(service)
    monkeypatch.setattr(service.state.dispatcher, "nodes", None)
    answers["broken 500"] = await service.client().get("/api/queue")
    for kind, answer in answers.items():
        assert answer.status_code == int(kind.split()[-1]), kind
        assert EVERYWHERE.items() <= dict(answer.headers).items(), kind
        policy = answer.headers["content-security-policy"]
        for part in ("default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"):
            assert part in policy, kind
        assert "camera=()" in answer.headers["permissions-policy"], kind
        assert not [name for name in NOWHERE if name in answer.headers], kind
        public = kind in ("public 200", "unchanged 304")
        assert answer.headers["cache-control"] == ("private, no-cache" if public else "no-store"), kind
        if answer.content and kind != "broken 500":
            wanted = {"page": "text/html", "docs": "text/html", "stream": "text/event-stream"}
            assert answer.headers["content-type"].startswith(wanted.get(kind.split()[0], "application/json")), kind


@pytest.mark.parametrize(
    ("settings", "headers", "https"),
    [
        ({}, {}, False),
        ({}, {"X-Forwarded-Proto": "https"}, False),
        ({"trusted_proxies": "127.0.0.1"}, {"X-Forwarded-Proto": "https"}, True),
        ({"public_url": "https://gradus.example"}, {}, True),
        ({"public_url": "http://gradus.example"}, {}, False),
    ],
)
async def test_browsers_are_told_to_insist_on_https_only_behind_https(
    home: Path, settings: dict[str, Any], headers: dict[str, str], https: bool
) -> None:
    async with running(settings_in(home, **settings)) as service:
        for path in ("/", "/api/health", "/nothing"):
            answer = await service.client(headers=headers).get(path)
            assert ("strict-transport-security" in answer.headers) is https


class Page(HTMLParser):
    """Collects the parts of a page that the content security policy restricts."""

    def __init__(self) -> None:
        super().__init__()
        self.styles: list[str] = []
        self.seen: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record each tag that loads or runs something, and each attribute that contains a style or a script."""
        self._in_style = tag == "style"
        self.seen += [tag] if tag in ("script", "link", "img", "iframe", "form", "object", "embed", "base") else []
        self.seen += [name for name, _ in attrs if name == "style" or name.startswith("on")]

    def handle_data(self, data: str) -> None:
        """Store the text of the inline `<style>` element."""
        if self._in_style:
            self.styles.append(data)
            self._in_style = False


@pytest.mark.parametrize("path", ["/", "/api/docs"])
async def test_pages_work_under_their_own_policy(service: Service, path: str) -> None:
    answer = await service.client().get(path)
    page = Page()
    page.feed(answer.text)
    assert page.seen == [], "nothing that the policy would block"
    hashes = re.findall(r"'sha256-([^']+)'", answer.headers["content-security-policy"])
    assert [base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() for style in page.styles] == hashes
    assert len(hashes) == 1
    assert "unsafe" not in answer.headers["content-security-policy"]
