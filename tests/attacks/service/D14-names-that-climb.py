# id: D14
# tries: sends ids, slugs, keys, cursors and paths with ../, NUL, newlines, thousands of characters or right-to-left marks
# expect: 4xx, or stored as plain data; no file is created or read; headers and log stay intact
"""Sends names that would lead out of a folder if the service used them as paths."""

from pathlib import Path
from urllib.parse import quote

from tests.attacks.service.target import HONEST, SLUG, Target

NAMES = [
    "../../../../etc/passwd", "..%2f..", "a\0b", "a\nb", "a\r\nSet-Cookie: x=1", "x" * 4096,
    "\u202egnp.py", ".", "..", "/", "~", "-rf", "a b", "%00", "'", "COM1",
]  # fmt: skip


def attack(target: Target) -> None:
    one = target.candidate()
    before = _files(target)
    mine = one.submit(SLUG, HONEST)
    for name in NAMES:
        as_path = quote(name, safe="")
        answers = [
            one.http.get(f"/api/submissions/{as_path}"),
            one.http.get(f"/api/submissions/{as_path}/events"),
            one.http.post(f"/api/submissions/{as_path}/cancel"),
            one.http.get(f"/api/challenges/{as_path}"),
            one.http.get(f"/{as_path}"),
            one.http.delete(f"/api/me/tokens/{as_path}"),
            one.http.post("/api/submissions", json={"slug": name, "source": HONEST, "kind": "submit"}),
            one.http.get("/api/submissions", params={"cursor": name}),
        ]
        for answer in answers:
            # HTTP clients turn /a/b/. into /a/b, and /a/b/.. into /a, before they send them. If a path ends with an extra
            # slash, the service redirects to the path without it.
            assert 400 <= answer.status_code < 500 or name in (".", "..", "/"), (name, answer.url)
            assert "root:" not in answer.text
            assert "Set-Cookie" not in answer.headers
        for header in ("Idempotency-Key", "Last-Event-ID", "X-Request-ID"):
            # An HTTP client cannot send every name in a header. Such names are percent-encoded, as a proxy would pass them on.
            value = name if name.isascii() and name.isprintable() else as_path
            sent = {header: value}
            body = {"slug": SLUG, "source": f"{HONEST}# {header}", "kind": "submit"}
            if header == "Idempotency-Key":
                answer = one.http.post("/api/submissions", json=body, headers=sent)
                assert answer.status_code in (200, 201, 422, 429), answer.text
                if answer.is_success:
                    one.http.post(f"/api/submissions/{answer.json()['id']}/cancel")
            else:
                answer = one.http.get(f"/api/submissions/{mine}/events", headers=sent)
                assert answer.status_code in (200, 400), answer.text
    assert one.judged(mine)["verdict"] == "AC"
    assert _files(target) == before


def _files(target: Target) -> set[str]:
    """Return every file in the service's data folder, except the database's own files."""
    found = {path.relative_to(target.live.data).as_posix() for path in Path(target.live.data).rglob("*")}
    return {name for name in found if not name.startswith("gradus.db")}
