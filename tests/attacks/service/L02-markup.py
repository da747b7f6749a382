# id: L2
# tries: puts HTML and scripts into output, exceptions, names, addresses, and the Host header of a page request
# expect: JSON is sent as JSON, which no browser runs; pages contain nothing unescaped that anybody sent
"""Sends text that a browser would execute."""

import httpx

from tests.attacks.service.target import SLUG, Target

EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'><svg/onload=alert(3)>"
SOURCE = f"""
print({EVIL!r})
class Odd:
    def __repr__(self): return {EVIL!r}
def attention(q, k, v):
    raise ValueError({EVIL!r}, Odd())
"""


def attack(target: Target) -> None:
    one = target.candidate()
    found = target.judged(one, SOURCE)
    assert found["verdict"] == "RE"
    assert any(EVIL in test["message"] for test in found["tests"]), "the check looks at nothing"
    named = one.http.post("/api/me/tokens", json={"name": EVIL[:80]})
    answers = [
        named,
        one.http.get(f"/api/submissions/{found['id']}"),
        one.http.get(f"/api/submissions/{found['id']}/events"),
        one.http.get("/api/me/tokens"),
        one.http.get(f"/api/challenges/{EVIL}"),
        one.http.get(f"/api/{EVIL}"),
        one.http.get("/api/submissions", params={"cursor": EVIL, "limit": EVIL}),
        one.http.post("/api/submissions", json={"slug": EVIL, "source": EVIL, "kind": EVIL}),
        one.http.post("/api/submissions", content=EVIL, headers={"Content-Type": EVIL}),
        one.http.request(EVIL[1:4], "/api/me", headers={"User-Agent": EVIL, "X-Request-ID": EVIL}),
    ]
    for answer in answers:
        assert answer.headers["Content-Type"].partition(";")[0] in ("application/json", "text/event-stream"), answer.url
        _shielded(answer)
    with target.anonymous() as nobody:
        for path in ("/", "/api/docs", f"/?{EVIL}", f"/api/docs?{EVIL}"):
            for headers in ({}, {"Host": EVIL}, {"Host": 'a"><script>alert(2)</script>', "X-Forwarded-Host": EVIL}):
                page = nobody.get(path, headers=headers)
                _shielded(page)
                # Our own scripts are separate files, so a script inside the page would be somebody else's.
                assert "<script>" not in page.text
                assert "alert(" not in page.text
                assert "onerror" not in page.text.replace("&lt;img src=x onerror", "")
                assert f"slug {SLUG}" not in page.text


def _shielded(answer: httpx.Response) -> None:
    assert answer.status_code < 500, answer.text
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    # The client's pages also compile WebAssembly, which runs no script of a page.
    assert "script-src" not in policy or "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "frame-ancestors 'none'" in policy
