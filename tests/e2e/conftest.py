"""One live service for the whole session: real HTTP, SQL, node and Docker cells."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live import Candidate, Live, service


@pytest.fixture(scope="session")
def live(grader_image: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A ready service with one slot."""
    with service(tmp_path_factory.mktemp("live"), node_slots="1", node_image=grader_image) as running:
        yield running


@pytest.fixture
def sign_up() -> Iterator[Callable[[Live], Candidate]]:
    """Makes new accounts on a service."""
    made: list[Candidate] = []

    def sign_up(where: Live) -> Candidate:
        made.append(Candidate(where.url))
        return made[-1]

    yield sign_up
    for one in made:
        one.http.close()


@pytest.fixture
def candidate(live: Live, sign_up: Callable[[Live], Candidate]) -> Candidate:
    """A new account on the session's service."""
    return sign_up(live)


@pytest.fixture(scope="session")
def answers() -> Path:
    """Answers of the challenge that the stories are about."""
    root = Path(__file__).resolve().parents[2]
    return root / "challenges" / "architectures" / "scaled-dot-product-attention" / "submissions"
