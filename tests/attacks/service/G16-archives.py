# id: G16
# tries: sends compressed bodies, archives as source, forms with files, file names in fields, duplicate keys, a huge number
# expect: nothing is unpacked, no file is written: 4xx, or a source that does not compile
"""Sends archives and request bodies that are small until they are unpacked."""

import base64
import gzip
import io
import json
import zipfile
import zlib

from tests.attacks.service.target import HONEST, SLUG, WITHIN_S, Target

BOMB = b"\0" * (50 << 20)


def attack(target: Target) -> None:
    one = target.candidate()
    body = json.dumps({"slug": SLUG, "source": HONEST, "kind": "submit"}).encode()
    kind = {"Content-Type": "application/json"}
    for name, packed in (
        ("gzip", gzip.compress(BOMB)),
        ("deflate", zlib.compress(BOMB)),
        ("gzip", gzip.compress(body)),
    ):
        answer = one.http.post("/api/submissions", content=packed, headers={**kind, "Content-Encoding": name})
        assert 400 <= answer.status_code < 500, answer.text
    with io.BytesIO() as made:
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("../../../../tmp/gradus-climbed.py", BOMB)
        packed = made.getvalue()
    form = one.http.post("/api/submissions", files={"source": ("../../x.zip", packed)}, data={"slug": SLUG})
    assert form.status_code == 422
    as_text = packed[:3000].decode("latin-1").replace("\0", "\1")
    for source in (as_text, f"import base64\n{base64.b64encode(packed).decode()}"):
        found = target.judged(one, source)
        assert found["verdict"] in ("CE", "RE")
    more = {"slug": SLUG, "source": HONEST, "kind": "submit", "files": {"../../evil.py": "x"}, "path": "/etc/passwd"}
    answer = one.http.post("/api/submissions", json=more)
    assert answer.status_code in (201, 422)
    if answer.status_code == 201:
        assert one.judged(answer.json()["id"], WITHIN_S)["verdict"] == "AC"
        assert "evil" not in one.http.get(f"/api/submissions/{answer.json()['id']}/source").text
    for odd in (
        b'{"slug": ' + b"9" * 10**6 + b"}",
        b'{"slug": "attention", "source": "x", "kind": "submit", "kind": "grade"}',
        b'{"slug": "attention", "source": NaN, "kind": "submit"}',
        b'{"a":' * 50_000,
        b"\xff\xfe{\0}\0",
    ):
        answer = one.http.post("/api/submissions", content=odd, headers=kind)
        assert 400 <= answer.status_code < 500, (odd[:50], answer.text)
    assert not list(target.live.data.parent.parent.glob("gradus-climbed*"))
