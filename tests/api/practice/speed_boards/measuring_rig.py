"""Simulates a node that measures answers. The test decides the results."""

import asyncio
import math
import secrets
from pathlib import Path
from typing import Any

from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.practice.measurements import answer_estimates
from api.practice.measurements.models import Measurement as MeasurementRow
from api.practice.measurements.models import SpeedBoard, SpeedEntry
from grader.contract import transport
from grader.contract.measurement import Measure, Measured, MeasuredSize, Measurement, MeasuringMachine, OperatorShare
from grader.contract.ranking import interval
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import WITHIN_S, Person, Service
from tests.api.scripted_node import ScriptedNode

SIZES = (64, 256)
CHAIN = "def chain(solution, size, steps, seed):\n    return solution.add_one(seed)\n"
SCORED = """quantity = "speed"
baseline = "a.py"
library = "b.py"
[[size]]
size = 64
steps = 10
flops = 1e6
bytes = 1e5
[[size]]
size = 256
steps = 10
flops = 1.6e7
bytes = 4e5
"""
CPU, TORCH, RUNNER = "Test CPU 9000", "2.13.0", "runner-1"
ANSWER = "def add_one(x):\n    return x + {} - {}\n"


def write_scored(root: Path, slug: str = "add-one", declared: str = SCORED, **values: str) -> Path:
    """Create a challenge whose accepted answers are measured."""
    folder = write_challenge(root, slug, **values)
    scored = root / "scored"
    scored.mkdir(exist_ok=True)
    (scored / f"{slug}.toml").write_text(declared)
    (scored / f"{slug}.py").write_text(CHAIN)
    return folder


def source(number: int) -> str:
    """Return an answer to add-one that differs from those with other numbers."""
    return ANSWER.format(number + 1, number)


def result(ratio: float, **more: Any) -> Measurement:
    """Return a measurement that found this ratio. `cpu` and `floor` can be given, and all fields of a measurement."""
    cpu, floor = more.pop("cpu", CPU), more.pop("floor", 1e-5)
    sizes = tuple(
        MeasuredSize(size, 1e-6 * size**2 / ratio, 1e-6 * size**2, floor, 12 if size == SIZES[-1] else 3)
        for size in SIZES
    )
    values: dict[str, Any] = {
        "sizes": sizes,
        "log_ratio": math.log(ratio),
        "std_error": 0.01,
        "degrees": 9.0,
        "pairs": 12,
        "wall_s": 14.5,
        "machine": MeasuringMachine(cpu, TORCH, RUNNER, 50.0, 12.0),
        "operators": (OperatorShare("aten::add", 0.8), OperatorShare("aten::mul", 0.2)),
    }
    return Measurement(**{**values, **more})


async def asked(node: ScriptedNode) -> Measure:
    """Wait until the service asks for a measurement."""
    while not isinstance(message := await node.hear(), Measure):
        assert isinstance(message, transport.Cancel), message
    return message


async def answer(node: ScriptedNode, message: Measure, ratio: float, **more: Any) -> None:
    """Send the result of a measurement."""
    await node.say(Measured(message.id, message.token, result(ratio, **more)))


async def measure(node: ScriptedNode, ratio: float, **more: Any) -> Measure:
    """Wait for a measurement and send its result."""
    message = await asked(node)
    await answer(node, message, ratio, **more)
    return message


async def measure_house(node: ScriptedNode, library: float = 4.0, noise: float = 0.0) -> None:
    """Measure the challenge's own answers: four times the baseline, twice the library's."""
    for number in range(6):
        message = await asked(node)
        is_library = "lambda" in message.source
        ratio = library if is_library else math.exp(noise * (-1) ** number)
        await answer(node, message, ratio)


async def accepted(service: Service, person: Person, node: ScriptedNode, number: int = 0, slug: str = "add-one") -> str:
    """Submit an answer and accept it. Return the submission's ID."""
    sent = await person.send(slug, source=source(number))
    await node.ready()
    await node.judge(await node.take())
    await node.ready(other=0)
    return str((await person.until(sent["id"], "judged"))["id"])


async def progress(person: Person, submission_id: str) -> Any:
    """Return how far the measurement of a submission is."""
    told = await person.http.get(f"/api/submissions/{submission_id}/measurement")
    assert told.status_code == 200, told.text
    return told.json()["measurement"]


async def board(person: Person, slug: str = "add-one", **wanted: Any) -> Any:
    """Return a page of a speed board."""
    told = await person.http.get(f"/api/boards/speed/{slug}", params=wanted)
    assert told.status_code == 200, told.text
    return told.json()


async def ranked(service: Service, person: Person, node: ScriptedNode, ratio: float, number: int = 0) -> str:
    """Submit an answer, measure it twice and wait for its place. The first call also measures the challenge's own answers."""
    sent = await accepted(service, person, node, number)
    first = not (await board(person))["boards"]
    await measure(node, ratio)
    if first:
        await measure_house(node)
    await measure(node, ratio)
    await until(person, sent, "ranked")
    return sent


async def until(person: Person, submission_id: str, state: str) -> Any:
    """Wait until the measurement of a submission is in this state."""
    async with asyncio.timeout(WITHIN_S):
        while (told := await progress(person, submission_id))["state"] != state:
            await asyncio.sleep(0.02)
    return told


async def filled(service: Service, ratios: list[float], std_error: float = 0.01) -> str:
    """Store a board with an entry for each ratio. Return the board's ID."""
    moment, board_id = now(), secrets.token_hex(16)
    challenge = service.state.store.catalogue.by_slug["add-one"]
    assert challenge.scored
    plan = answer_estimates.plan_digest(challenge.scored.plan)
    async with service.state.db.write() as session:
        common = {"quantity": "speed", "gflops": 1.0, "gb_per_s": 1.0, "noise": 0.01, "node": "n"}
        session.add(
            SpeedBoard(
                id=board_id,
                slug="add-one",
                plan=plan,
                cpu="c",
                torch="t",
                runner="r",
                created_at=moment,
                measured_at=moment,
                **common,
            )
        )
        await session.flush()
        for number, ratio in enumerate(ratios):
            account_id, measurement_id = f"{number:032x}", secrets.token_hex(16)
            account = {"email": f"p{number}@x.org", "name": f"p{number}", "role": "user", "password_hash": ""}
            session.add(Account(id=account_id, created_at=moment, **account))
            await session.flush()
            session.add(
                MeasurementRow(
                    id=measurement_id, account_id=account_id, slug="add-one", plan=plan, code="c", status="measured",
                    rank_at=moment, asked_at=moment, board_id=board_id, log_ratio=math.log(ratio), std_error=std_error,
                )
            )  # fmt: skip
            await session.flush()
            found = interval(math.log(ratio), std_error, 0.01)
            session.add(
                SpeedEntry(
                    board_id=board_id, account_id=account_id, measurement_id=measurement_id, log_ratio=math.log(ratio),
                    std_error=std_error, low=found.low, high=found.high, sessions=2, confirming=False, shown=True,
                    measured_at=moment,
                )
            )  # fmt: skip
    return board_id
