"""Tests how the service shows topics and tracks, which of them it leaves out, and how it reports the reasons for that."""

from pathlib import Path

import pytest

from api.content.catalogue.service import read_catalogue
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import running, settings_in
from tests.api.topic_folders import QUIZ, write_topic, write_track

SECRETS = ("SECRET-EXPLANATION", "SECRET-REASON", "right = true", "(3,)")


@pytest.fixture
def root(home: Path) -> Path:
    """A folder with a challenge, a topic and a track."""
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    write_track(home / "challenges")
    return home / "challenges"


@pytest.mark.anyio
async def test_topic_shows_its_page_and_none_of_its_keys(home: Path, root: Path) -> None:
    async with running(settings_in(home)) as service:
        client = service.client()
        listed = (await client.get("/api/topics")).json()
        assert [(each["id"], each["questions"], each["challenges"]) for each in listed["items"]] == [
            ("adding", 6, ["add-one"])
        ]
        answer = await client.get("/api/topics/adding")
        told = answer.json()
        assert told["page"].startswith("Adding is older")
        assert [item["slug"] for item in told["items"]] == ["add-one"]
        assert (told["points"], told["related"], told["pitfalls"][0]["raises"]) == (7, [], "TypeError")
        assert told["tracks"] == [{"id": "first-steps", "title": "First steps"}]
        assert not [secret for secret in SECRETS if secret in answer.text]
        assert (await client.get("/api/topics", params={"q": "WALRUS adding"})).json()["total"] == 1
        assert (await client.get("/api/topics", params={"section": "tensors"})).json()["total"] == 0
        missing = await client.get("/api/topics/subtracting")
        assert (missing.status_code, missing.json()["code"]) == (404, "topic_not_found")


@pytest.mark.anyio
async def test_track_has_its_checklist_and_cards_from_its_topics(home: Path, root: Path) -> None:
    async with running(settings_in(home)) as service:
        client = service.client()
        told = (await client.get("/api/tracks")).json()["items"]
        assert [(each["id"], each["topics"], each["challenges"], each["questions"]) for each in told] == [
            ("first-steps", 1, 1, 6)
        ]
        track = (await client.get("/api/tracks/first-steps")).json()
        assert track["stages"][0]["topics"][0]["id"] == "adding"
        assert track["review"][0]["lines"] == ["I can add one", "I know what + does"]
        assert track["review"][0]["cards"][0] == {"front": "1 + 1", "back": "2"}
        assert (await client.get("/api/tracks/none")).json()["code"] == "track_not_found"


@pytest.mark.anyio
@pytest.mark.parametrize(("line", "steps"), [("", []), ("project = true\n", ["add-one"])], ids=["track", "project"])
async def test_track_of_a_project_names_its_steps(home: Path, root: Path, line: str, steps: list[str]) -> None:
    track = write_track(root)
    track.write_text(line + track.read_text())
    async with running(settings_in(home)) as service:
        told = (await service.client().get("/api/tracks")).json()["items"]
        assert [each["steps"] for each in told] == [steps]


@pytest.mark.anyio
async def test_neighbours_are_those_in_the_catalogue_or_in_the_project(home: Path, root: Path) -> None:
    for name, difficulty in (("add-two", "medium"), ("add-three", "hard")):
        write_challenge(root, name, title=name, difficulty=difficulty)
    write_topic(root, challenges=("add-three", "add-one"))
    one, two, three = (
        {"id": "add-one", "title": "Add one"},
        *({"id": f"add-{n}", "title": f"add-{n}"} for n in ("two", "three")),
    )
    async with running(settings_in(home)) as service:
        client = service.client()
        answer = await client.get("/api/challenges/add-two/neighbours")
        assert answer.json() == {"project": None, "place": 2, "total": 3, "previous": one, "next": three}
        same = await client.get("/api/challenges/add-two/neighbours", headers={"If-None-Match": answer.headers["ETag"]})
        assert same.status_code == 304
        first = (await client.get("/api/challenges/add-one/neighbours")).json()
        assert (first["place"], first["previous"], first["next"]) == (1, None, two)
        last = (await client.get("/api/challenges/add-three/neighbours")).json()
        assert (last["place"], last["previous"], last["next"]) == (3, two, None)
        assert (await client.get("/api/challenges/none/neighbours")).json()["code"] == "challenge_not_found"
    track = write_track(root)
    track.write_text("project = true\n" + track.read_text())
    async with running(settings_in(home)) as service:
        found = (await service.client().get("/api/challenges/add-three/neighbours")).json()
        project = {"id": "first-steps", "title": "First steps"}
        assert found == {"project": project, "place": 1, "total": 2, "previous": None, "next": one}
        outside = (await service.client().get("/api/challenges/add-two/neighbours")).json()
        assert (outside["project"], outside["place"]) == (None, 2)


def test_topic_that_names_a_missing_challenge_is_left_out_and_takes_its_track_along(root: Path) -> None:
    write_topic(root, challenges=("no-such",))
    catalogue = read_catalogue(root, serve_unproven=True)
    assert (catalogue.topics, catalogue.tracks) == ({}, {})
    reasons = {item.folder: item.reason for item in catalogue.left_out}
    assert "no-such" in reasons["topics/basics/adding"]
    assert "adding" in reasons["tracks/first-steps.toml"]


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (lambda folder: (folder / "page.md").unlink(), "page.md: missing"),
        (lambda folder: (folder / "quiz.lock").unlink(), "gradus challenge lock adding"),
        (lambda folder: (folder / "quiz.toml").write_text(QUIZ + "\n"), "not in step with quiz.toml"),
        (lambda folder: (folder / "topic.toml").write_text("titel = 1"), "titel"),
    ],
    ids=["no-page", "no-lock", "stale-lock", "unknown-key"],
)
def test_broken_topic_is_left_out_with_file_and_reason(root: Path, break_it: object, told: str) -> None:
    break_it(root / "topics" / "basics" / "adding")  # type: ignore[operator]
    catalogue = read_catalogue(root, serve_unproven=True)
    assert catalogue.topics == {}
    assert told in catalogue.left_out[0].reason
    assert str(root) not in catalogue.left_out[0].reason


def test_track_of_optional_stages_alone_is_left_out(root: Path) -> None:
    track = write_track(root)
    track.write_text(f"{track.read_text()}optional = true\n")
    catalogue = read_catalogue(root, serve_unproven=True)
    assert catalogue.tracks == {}
    assert "that is not optional" in catalogue.left_out[0].reason


def test_version_changes_with_a_topic(root: Path) -> None:
    before = read_catalogue(root, serve_unproven=True).version
    (root / "topics" / "basics" / "adding" / "page.md").write_text("New.\n")
    assert read_catalogue(root, serve_unproven=True).version != before
