# id: L9
# tries: uses names with right-to-left overrides, invisible characters, line separators, combining marks and full-width letters
# expect: refused with an error message, or stored in one normal form, without invisible or direction-changing characters
"""Creates accounts and objects whose names look like another name."""

import unicodedata

from tests.attacks.service.target import Target

REFUSED = [
    "Ada\u202egnp", "A\u200bda", "\u2066Ada\u2069", "Ada\u2028Admin", "\ufeffAda",
    "A\u00adda", "Ada\U000e0041", "\u200b", "\u3164", "A\x85B",
]  # fmt: skip
NORMAL = {
    "Ａｄａ": "Ada",
    "ﬁona": "fiona",
    "Ada   Lovelace": "Ada Lovelace",
    "Ame\u0301lie": "Am\u00e9lie",
    "Ada\u00a0L": "Ada L",
}
KEPT = ["محمد", "Łukasz O'Neil-Žižek", "李小龍", "Анна", "אדה"]


def attack(target: Target) -> None:
    browser = target.in_a_browser()
    for name in REFUSED:
        answer = browser.post("/api/me/tokens", json={"name": name})
        assert answer.status_code == 422, (name, answer.text)
    for name, normal in {**NORMAL, **{kept: kept for kept in KEPT}}.items():
        answer = browser.post("/api/me/tokens", json={"name": name})
        assert answer.json()["name"] == normal
    with target.anonymous() as nobody:
        for number, name in enumerate(REFUSED[:3]):
            body = {"email": f"deceiver{number}@example.org", "name": name, "password": "a long one 1"}
            assert nobody.post("/api/accounts", json=body).status_code == 422
    for (name,) in target.rows("SELECT name FROM account UNION SELECT name FROM api_token"):
        assert not [letter for letter in name if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]
        assert unicodedata.normalize("NFKC", name) == name
