"""Tests that concurrent calls are answered in batches, and that a call that fails or is cancelled does not affect the others.
Some tests run on a real PostgreSQL.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from api.identity.accounts.hashing import token_hash
from api.judging.submissions.models import Judging, Submission, SubmissionSource
from api.kit import batching
from api.kit.batching import Batcher
from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Person, Service, running, settings_in

pytestmark = pytest.mark.anyio
PEOPLE = 12


class Answering:
    """Doubles numbers and records the batches. A batch that contains 13 fails."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []
        self.gathered = Batcher(self._answer, lambda number: number % 10)

    async def _answer(self, numbers: Sequence[int]) -> list[int]:
        self.calls.append(list(numbers))
        await asyncio.sleep(0.01)
        if 13 in numbers:
            raise ValueError("13 brings bad luck")
        return [2 * number for number in numbers]

    async def ask(self, *numbers: int) -> list[Any]:
        return list(await asyncio.gather(*map(self.gathered.ask, numbers), return_exceptions=True))


async def test_those_who_come_while_others_are_answered_go_together_in_their_order() -> None:
    answering = Answering()
    first = asyncio.ensure_future(answering.ask(1))
    await asyncio.sleep(0.002)
    assert await answering.ask(2, 3, 12, 4) == [4, 6, 24, 8]
    assert await first == [2]
    assert answering.calls == [[1], [2, 3, 4], [12]], "12 and 2 are the same by their key"
    assert await answering.ask(5) == [10]


async def test_who_fails_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    answering = Answering()
    ends = await answering.ask(1, 13, 2)
    assert (ends[0], ends[2], str(ends[1])) == (2, 4, "13 brings bad luck")
    assert sorted(answering.calls) == [[1], [1, 13, 2], [2], [13]]
    monkeypatch.setattr(batching, "MOST", 2)
    answering.calls.clear()
    assert await answering.ask(1, 2, 3) == [2, 4, 6]
    assert answering.calls == [[1, 2], [3]]


async def test_who_no_longer_waits_keeps_nobody_from_an_answer() -> None:
    answering = Answering()
    asked = [asyncio.ensure_future(answering.gathered.ask(number)) for number in (1, 2)]
    await asyncio.sleep(0.002)
    asked[0].cancel()
    assert await asked[1] == 4
    last = asyncio.ensure_future(answering.gathered.ask(5))
    await asyncio.sleep(0.002)
    last.cancel()
    await answering.gathered.close()
    assert answering.calls[-1] == [5]
    assert answering.gathered._work is None
    assert await answering.ask(3) == [6]


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    write_challenge(home / "challenges")
    settings = settings_in(home, database_url=postgres.database_of(home), unfinished_per_account=2)
    async with running(settings) as made:
        yield made
    postgres.drop(home)


@pytest.fixture
async def people(service: Service) -> list[Person]:
    return [await service.person(f"person{number}") for number in range(PEOPLE)]


def transactions(service: Service, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which the number of submissions in each transaction is added."""
    sizes: list[int] = []
    store = service.state.writer._batcher._answer

    async def counted(asked: Sequence[Any]) -> Any:
        sizes.append(len(asked))
        return await store(asked)

    monkeypatch.setattr(service.state.writer._batcher, "_answer", counted)
    return sizes


async def test_each_of_many_at_once_is_stored_as_if_alone(
    service: Service, people: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = transactions(service, monkeypatch)
    sent = await asyncio.gather(*(each.send(source=f"x = {n}\n") for n, each in enumerate(people)))
    assert sum(sizes) == PEOPLE
    assert len(sizes) < PEOPLE, "some went together"
    assert sorted(each["queue"]["position"] for each in sent) == list(range(1, PEOPLE + 1))
    async with service.state.db.read() as session:
        assert await session.scalar(select(func.count()).select_from(Judging)) == PEOPLE
        rows = await session.execute(
            select(SubmissionSource.source, Submission.account_id).join(
                Submission, Submission.id == SubmissionSource.submission_id
            )
        )
        owners = {row[0]: row[1] for row in rows}
    for number, each in enumerate(people):
        me = (await each.http.get("/api/me")).json()["id"]
        assert owners[f"x = {number}\n"] == me


async def test_the_same_twice_at_once_is_one_and_who_is_refused_keeps_nobody_out(
    service: Service, people: list[Person]
) -> None:
    full, hasty, *others = people
    for number in range(2):
        await full.send(source=f"x = {number}\n")
    body = {"slug": "add-one", "kind": "submit", "source": "x = 9\n"}
    key = {"Idempotency-Key": "the-same"}
    answers = await asyncio.gather(
        full.http.post("/api/submissions", json=body),
        *(hasty.http.post("/api/submissions", json=body, headers=key) for _ in range(3)),
        *(each.http.post("/api/submissions", json=body) for each in others),
    )
    codes = [answer.status_code for answer in answers]
    assert codes[0] == 429
    assert sorted(codes[1:4]) == [200, 200, 201]
    assert len({answer.json()["id"] for answer in answers[1:4]}) == 1
    assert set(codes[4:]) == {201}


async def test_two_credentials_of_one_account_are_two_requests(service: Service, people: list[Person]) -> None:
    ada = people[0]
    token = (await ada.http.post("/api/me/tokens", json={"name": "one"})).json()["token"]
    other = (await ada.http.post("/api/me/tokens", json={"name": "two"})).json()["token"]
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    http = service.client()
    asked = [http.get("/api/me", headers={"Authorization": f"Bearer {each}"}) for each in (token, other, wrong) * 3]
    codes = [answer.status_code for answer in await asyncio.gather(*asked)]
    assert codes == [200, 200, 401] * 3
    found = await service.state.credential_lookup._many("token", [token_hash(each) for each in (token, wrong, other)])
    assert [one and one.account.email for one in found] == [ada.email, None, ada.email]
    assert found[0] is not None
    assert found[2] is not None
    assert found[0].account is not found[2].account
