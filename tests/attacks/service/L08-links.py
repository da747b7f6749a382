# id: L8
# tries: puts Markdown, links, pictures and mentions into exceptions and output
# expect: hidden tests reveal none of this text; samples show it as plain text, without links
"""Sends text that a page could turn into a link when it renders feedback."""

from tests.attacks.service.target import SLUG, Target

EVIL = (
    "[your prize](https://evil.example/) ![x](https://evil.example/x.png) <https://evil.example> @everyone $x^2$ **b**"
)


def attack(target: Target) -> None:
    one = target.candidate()
    identifier = one.submit(SLUG, f"def attention(q, k, v):\n    print({EVIL!r})\n    raise ValueError({EVIL!r})\n")
    found = one.judged(identifier)
    for test in found["tests"]:
        told = test["message"] + test["stdout"]
        assert ("evil" in told) == test["sample"]
        assert test["stdout"] == (f"{EVIL}\n" if test["sample"] else "")
        assert not test["sample"] or EVIL in test["message"]
    shown = (
        one.http.get(f"/api/submissions/{identifier}").text + one.http.get(f"/api/submissions/{identifier}/events").text
    )
    assert "<a " not in shown
    assert "href" not in shown
