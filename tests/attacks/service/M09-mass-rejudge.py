# id: M9
# tries: rejudges very many submissions as an admin, while their owners and other people send new ones
# expect: new submissions are judged first, even after long rejudging; no account's quota is used up; every rejudge ends
"""Lets an admin rejudge very many submissions at once."""

from tests.attacks.service.target import HONEST, SLUG, Target

SLOW = "import time\ntime.sleep(0.4)\n" + HONEST
PEOPLE, EACH = 3, 8
QUEUED = "SELECT count(*) FROM judging WHERE status = 'queued' AND number > 1"


def attack(target: Target) -> None:
    sent = []
    for _ in range(PEOPLE):
        one = target.candidate()
        sent += [(one, one.submit(SLUG, f"{SLOW}# {number}\n", kind="run")) for number in range(EACH)]
    for one, identifier in sent:
        one.judged(identifier)
    for _, identifier in sent:
        assert target.admin.http.post(f"/api/submissions/{identifier}/rejudge").status_code == 202
    target.honest_is_accepted()
    concerned = sent[-1][0]
    assert target.judged(concerned, HONEST)["verdict"] == "AC"
    assert target.rows(QUEUED)[0][0] > len(sent) // 4, "a new submission has waited for most of the rejudges"
    # Pretend that the queued rejudges have waited for half a minute.
    target.change(
        "UPDATE judging SET rank_at = strftime('%Y-%m-%d %H:%M:%f', rank_at, '-31 seconds') WHERE status = 'queued'"
    )
    before = target.rows(QUEUED)[0][0]
    target.honest_is_accepted()
    after = target.rows(QUEUED)[0][0]
    assert after > 0, "a new submission has waited for all of the rejudges"
    assert before - after <= 6, f"{before - after} of {before} rejudges went before a new submission"
    for one, identifier in sent:
        found = one.judged(identifier)
        assert (found["verdict"], found["judging"]) == ("AC", 2)
