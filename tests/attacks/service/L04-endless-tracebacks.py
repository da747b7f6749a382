# id: L4
# tries: raises exceptions with huge texts, chains of causes, groups, recursion depths and notes, in a call and at import
# expect: the judging ends in time; responses and stored judgements stay below 200 kB
"""Raises exceptions that are long enough to fill a page, a log or a disk."""

from tests.attacks.service.target import SLUG, WITHIN_S, Target

MOST_BYTES = 200_000
RAISES = {
    "text": "raise ValueError('line\\n' * 10**7)",
    "chain": "error = ValueError('x' * 100)\nfor _ in range(20000):\n"
    "    new = ValueError('y' * 100)\n    new.__cause__ = error\n    error = new\nraise error",
    "group": "raise ExceptionGroup('g' * 1000, [ValueError('z' * 1000)] * 10000)",
    "depth": "f = lambda n: f(n + 1)\nf(0)",
    "notes": "error = ValueError('x')\nerror.__notes__ = ['line\\n' * 1000] * 1000\nraise error",
}


def attack(target: Target) -> None:
    one = target.candidate()
    for what, raises in RAISES.items():
        inside = "".join(f"    {line}\n" for line in raises.splitlines())
        for source in (f"def attention(q, k, v):\n{inside}", raises):
            identifier = one.submit(SLUG, source)
            assert one.judged(identifier, WITHIN_S)["verdict"] in ("RE", "MLE", "TLE"), what
            assert len(one.http.get(f"/api/submissions/{identifier}").content) < MOST_BYTES, what
            assert len(one.http.get(f"/api/submissions/{identifier}/events").content) < MOST_BYTES, what
            one = one if what != "group" else target.candidate()
    row = target.rows("SELECT max(length(judgement)), max(length(message)) FROM judging")[0]
    assert max(row) < MOST_BYTES
