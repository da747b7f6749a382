# id: M4
# tries: sends judgements with tokens of other attempts: of a finished one, a cancelled one, one that another node works on
# expect: nothing changes; a judgement counts only once, with test results, and from the connection to which the job was offered
"""Sends judgements that are replayed or stolen. They are sent in the node's own protocol, and passed to the service's code that
stores judgements.
"""

import asyncio
import time

import msgspec

from api.judging.queue import service
from api.kit.db.database import Database
from grader.contract import transport
from grader.contract.job import Judgement, Verdict
from tests.attacks.service.node import Impostor
from tests.attacks.service.target import HONEST, SLUG, WRONG, Target

SLOW = "import time\ntime.sleep(4.0)\n" + WRONG
STEPS = "SELECT id, token, digest, status, verdict, attempt FROM judging WHERE submission_id = ? AND NOT superseded"


def attack(target: Target) -> None:
    one = target.candidate()
    accepted = _accepting(target, one.submit(SLUG, HONEST))
    finished = one.submit(SLUG, WRONG)
    assert one.judged(finished)["verdict"] == "WA"
    cancelled = one.submit(SLUG, f"{SLOW}# cancelled")
    target.until(lambda: one.get(cancelled)["status"] == "judging", "the node takes it up")
    one.http.post(f"/api/submissions/{cancelled}/cancel")
    running = one.submit(SLUG, SLOW)
    target.until(lambda: one.get(running)["status"] == "judging", "the node takes it up")
    with Impostor(target.socket, "thief") as thief:
        for identifier in (finished, cancelled, running):
            row = target.rows(STEPS, identifier)[0]
            stolen = msgspec.structs.replace(accepted, job_id=row[0], token=row[1], digest=row[2])
            # These messages are forged: a judgement without tests, one with the right answer's tests, a fault, a refusal, a
            # stop, an acceptance, progress and a heartbeat.
            thief.say(transport.Judged(msgspec.structs.replace(stolen, tests=())))
            thief.say(transport.Judged(stolen))
            thief.say(transport.Fault(row[0], row[1], "forged"))
            thief.say(transport.Refused(row[0], row[1], "forged"))
            thief.say(transport.Stopped(row[0], row[1]))
            thief.say(transport.Accepted(row[0], row[1]))
            thief.say(transport.Progress(row[0], row[1], 7, 7, accepted.tests[0]))
            thief.say(transport.Heartbeat((row[1],)))
            asyncio.run(_apply(target, msgspec.structs.replace(stolen, token="0" * 32)))
        time.sleep(0.5)
        assert target.rows(STEPS, running)[0][4] in (None, "WA")
    found = one.judged(running)
    assert (found["verdict"], found["attempt"]) == ("WA", 1)
    assert one.get(finished)["verdict"] == "WA"
    assert (one.get(cancelled)["status"], one.get(cancelled)["verdict"]) == ("cancelled", None)
    events = list(one.events(running))
    assert [name for name, _ in events].count("judged") == 1
    row = target.rows(STEPS, finished)[0]
    replayed = msgspec.structs.replace(accepted, job_id=row[0], token=row[1], digest=row[2])
    assert not asyncio.run(_apply(target, replayed)), "its token was used up by its own judgement"


def _accepting(target: Target, identifier: str) -> Judgement:
    """Wait until a right answer is judged, and return its judgement. The attack makes forged judgements from it."""
    read = "SELECT judgement FROM judging WHERE submission_id = ?"
    target.until(lambda: target.rows(read, identifier)[0][0], "the right answer is judged")
    found = msgspec.json.decode(target.rows(read, identifier)[0][0], type=Judgement)
    assert found.verdict is Verdict.AC
    return found


async def _apply(target: Target, judgement: Judgement) -> bool:
    """Apply a judgement with the service's own code, but from the test's process, on the service's database. Return whether the
    judgement's token was still valid.
    """
    db = Database(f"sqlite+aiosqlite:///{target.database}")
    try:
        async with db.write() as session:
            held = [(row, judgement) for row, _ in await service.attempts(session, [judgement.token])]
            await service.apply(session, held)
            return bool(held)
    finally:
        await db.close()
