# id: M7
# tries: submits a job that kills the whole node each time it is judged, beside ordinary jobs
# expect: after the allowed attempts, the verdict is JE and the job is never offered again; the other jobs are judged
"""Submits an answer that seems to kill the node that judges it. The test itself kills the node, because no answer can."""

import contextlib
import os
import signal
import time

from tests.attacks.service.target import HONEST, SLUG, Target, a_target

SLOW = "import time\ntime.sleep(2.5)\n" + HONEST
ATTEMPTS = 2
WITHIN_S = 90.0


def attack(target: Target) -> None:
    with a_target(target.image, max_attempts=str(ATTEMPTS), lease_s="10") as own:
        since = own.log_end()
        _attack(own)
        own.check(since)


def _attack(target: Target) -> None:
    one, other = target.candidate(), target.candidate()
    poison = one.submit(SLUG, f"{SLOW}# poison")
    beside = other.submit(SLUG, f"{SLOW}# beside it")
    later = [other.submit(SLUG, f"{HONEST}# {number}") for number in range(3)]
    killed, until = 0, time.monotonic() + WITHIN_S
    while (found := one.get(poison))["status"] != "judged":
        assert time.monotonic() < until, found
        if found["status"] == "judging" and found["attempt"] > killed:
            time.sleep(1.0)  # let the second slot also start a job, if the service offers it one
            with contextlib.suppress(StopIteration, ProcessLookupError):
                os.kill(target.live.node_pid(), signal.SIGKILL)
                killed += 1
        time.sleep(0.05)
    assert (found["verdict"], found["attempt"], killed) == ("JE", ATTEMPTS, ATTEMPTS)
    assert "does not count" in found["message"]
    assert found["score"] == 0
    target.excused.add(poison)
    for identifier in (beside, *later):
        assert other.judged(identifier, WITHIN_S)["verdict"] == "AC"
    time.sleep(1.5)
    assert (one.get(poison)["status"], one.get(poison)["attempt"]) == ("judged", ATTEMPTS)
    assert one.http.post(f"/api/submissions/{poison}/cancel").status_code == 409
