# id: L3
# tries: puts NUL, lone surrogates, invalid UTF-8 and control characters into output, exceptions, results, sources and names
# expect: refused with an error message, or judged and stored as clean text; no judge error and no broken response
"""Sends text that databases and JSON cannot represent."""

import json

from tests.attacks.service.target import HONEST, SLUG, WITHIN_S, Target, everything_told, texts, unshowable

SOURCES = {
    "output": "import os\ndef attention(q, k, v):\n"
    "    os.write(1, b'a\\0\\xed\\xa0\\x80\\xff\\xf4\\x90b')\n    raise ValueError('x')\n",
    "exception": "def attention(q, k, v):\n    raise ValueError('a\\0\\ud800\\udfff\\x01b')\n",
    "at import": "raise ValueError('a\\0\\ud800\\udfff\\x01b')\n",
    "result": "def attention(q, k, v):\n    return {'\\0\\ud800': ['\\udfff', '\\x01']}\n",
    "odd type": "E = type('E\\x01\\u202e', (Exception,), {})\ndef attention(q, k, v):\n    raise E('\\0')\n",
    "not code": "def attention(q, k, v):\n    return '\x01\x02' \x03\n",
}


def attack(target: Target) -> None:
    one = target.candidate()
    sent = [one.submit(SLUG, source) for source in SOURCES.values()]
    sent.append(
        one.scratch(SLUG, HONEST, "import os\nos.write(1, b'a\\0\\xed\\xa0\\x80\\xff')\nraise ValueError('\\ud800\\0')")
    )
    for identifier in sent:
        assert one.judged(identifier, WITHIN_S)["verdict"] in ("WA", "RE", "CE")
        for text in (text for each in everything_told(one, identifier) for text in texts(each)):
            text.encode()
            assert unshowable(text) == set()
        raw = one.http.get(f"/api/submissions/{identifier}").content
        assert b"\0" not in raw
        assert json.loads(raw)["id"] == identifier
    for (judgement,) in target.rows("SELECT judgement FROM judging WHERE judgement IS NOT NULL"):
        assert not [text for text in texts(json.loads(judgement)) if "\0" in text]
    _refused(target)


def _refused(target: Target) -> None:
    """Check that the service rejects invalid text as soon as it arrives. The text is sent as JSON escapes, which httpx would
    not write by itself.
    """
    one, browser = target.candidate(), target.in_a_browser()
    for bad in ("\\u0000", "\\ud800", "\\udfff\\ud800"):
        bodies = {
            "/api/submissions": f'{{"slug": "{SLUG}", "kind": "submit", "source": "x = 1 # {bad}"}}',
            "/api/scratch": f'{{"slug": "{SLUG}", "source": "", "snippet": "{bad}"}}',
            "/api/me/tokens": f'{{"name": "a{bad}b"}}',
            "/api/accounts": f'{{"email": "a@example.org", "name": "a{bad}b", "password": "long enough 1"}}',
            "/api/session": f'{{"email": "a{bad}@example.org", "password": "long enough 1"}}',
        }
        for path, body in bodies.items():
            client = browser if path == "/api/me/tokens" else one.http
            answer = client.post(path, content=body.encode(), headers={"Content-Type": "application/json"})
            assert answer.status_code == 422, (path, body, answer.text)
    with target.anonymous() as nobody:
        raw = b'{"email": "a@example.org", "password": "\\ud800 is long enough"}'
        answer = nobody.post("/api/session", content=raw, headers={"Content-Type": "application/json"})
        assert answer.status_code in (401, 422), answer.text
