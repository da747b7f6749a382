# id: D14
# tries: addresses, slugs, keys, cursors and ids with ../, NUL, newlines, thousands of characters, right-to-left marks
# expect: 4xx, or taken as plain data; no file appears or is read; headers and log stay whole
"""Names that would be paths."""

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
            # An HTTP client itself makes /a/b of /a/b/. and /a of /a/b/.. before it sends anything;
            # with one slash too many the service points to the address without it.
            assert 400 <= answer.status_code < 500 or name in (".", "..", "/"), (name, answer.url)
            assert "root:" not in answer.text
            assert "Set-Cookie" not in answer.headers
        for header in ("Idempotency-Key", "Last-Event-ID", "X-Request-ID"):
            # What no HTTP client may send in a header goes percent-encoded, which is how a proxy would pass it on.
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
    """Every file below the service's data, the database's own left out."""
    found = {path.relative_to(target.live.data).as_posix() for path in Path(target.live.data).rglob("*")}
    return {name for name in found if not name.startswith("gradus.db")}
