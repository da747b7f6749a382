"""Writes and reads comments over HTTP, for tests of discussions."""

from typing import Any

import httpx

from tests.api.running_service import Person, Service

CHALLENGE = "/api/challenges/add-one"
HERE = f"{CHALLENGE}/comments"
SPAM = {"about": "comment", "kind": "spam", "words": "It sells handbags."}


async def reader(service: Service, name: str) -> Person:
    """Register an account that has given up on the challenge, so that the discussion is open to it."""
    person = await service.person(name)
    assert (await person.http.post(f"{CHALLENGE}/giving-up")).status_code == 200
    return person


async def write(person: Person, text: str, parent: str | None = None, key: str | None = None) -> dict[str, Any]:
    """Write a comment. Return it."""
    answer = await tell(person, text, parent, key)
    assert answer.status_code in (200, 201), answer.text
    return dict(answer.json())


async def tell(person: Person, text: str, parent: str | None = None, key: str | None = None) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await person.http.post(HERE, json={"text": text, "parent_id": parent}, headers=headers)


async def threads(person: Person, **query: Any) -> list[dict[str, Any]]:
    answer = await person.http.get(HERE, params=query)
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def told(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]
