"""Tests the catalogue of challenges: what it makes public, which challenges a search finds, and which folders it leaves out."""

import json
import shutil
from pathlib import Path

import pytest

from api.content.catalogue.service import CatalogueStore, read_catalogue
from grader.content.package import digest
from grader.content.package_cache import PackageCache
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.topic_folders import write_topic

anyio = pytest.mark.anyio
SECRETS = ("987654321", "SECRET-EDITORIAL", "SECRET-REFERENCE", "test_secret_number", "1 + x")


@anyio
async def test_challenge_shows_what_is_public_and_nothing_else(service: Service) -> None:
    answer = await service.client().get("/api/challenges/add-one")
    told = answer.json()
    assert (told["title"], told["points"], told["tests_count"], told["hints_count"]) == ("Add one", 4, 3, 2)
    assert told["own_input"] is True
    assert told["entries"][0]["signature"] == "add_one(x)"
    assert [sample["name"] for sample in told["samples"]] == ["test_zero"]
    source = told["samples"][0]["source"]
    assert source.startswith("@sample\ndef test_zero(solution):\n")
    assert source.endswith("assert solution.add_one(0) == 1\n")
    assert [secret for secret in SECRETS if secret in answer.text] == []
    assert "add_one(13)" not in answer.text, "marked but not locked stays hidden"


@anyio
async def test_summary_counts_and_names_a_challenge_to_start_with(home: Path) -> None:
    root = home / "challenges"
    root.mkdir()
    async with running(settings_in(home)) as service:
        client = service.client()
        assert (await client.get("/api/catalogue")).json() == {"challenges": 0, "topics": 0, "start": None}
    write_challenge(root, "add-one")
    write_topic(root)
    async with running(settings_in(home)) as service:
        client = service.client()
        answer = await client.get("/api/catalogue")
        assert answer.json() == {"challenges": 1, "topics": 1, "start": "add-one"}
        again = await client.get("/api/catalogue", headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304
    write_challenge(root, "scaled-dot-product-attention", section="tensors")
    async with running(settings_in(home)) as service:
        assert (await service.client().get("/api/catalogue")).json()["start"] == "scaled-dot-product-attention"


@anyio
async def test_list_is_filtered_searched_and_paged(home: Path) -> None:
    root = home / "challenges"
    write_challenge(root, "add-one", title="Add one")
    write_challenge(root, "add-two", title="Add two", difficulty="hard")
    write_challenge(root, "softmax", section="losses", title="Softmax", topic="activations")
    async with running(settings_in(home)) as service:
        client = service.client()

        async def slugs(**wanted: str | int) -> list[str]:
            answer = await client.get("/api/challenges", params=wanted)
            return [item["slug"] for item in answer.json()["items"]]

        assert await slugs() == ["add-one", "add-two", "softmax"]
        assert await slugs(section="losses") == ["softmax"]
        assert await slugs(difficulty="hard") == ["add-two"]
        assert await slugs(topic="activations") == ["softmax"]
        assert await slugs(q="ZEBRA two") == ["add-two"]
        assert await slugs(q="nothing like it") == []
        first = (await client.get("/api/challenges", params={"limit": 2})).json()
        assert (len(first["items"]), first["total"]) == (2, 3)
        rest = (await client.get("/api/challenges", params={"cursor": first["next_cursor"]})).json()
        assert ([item["slug"] for item in rest["items"]], rest["next_cursor"]) == (["softmax"], None)
        for wanted in ({"cursor": "x"}, {"limit": 0}, {"dificulty": "easy"}, {"difficulty": "brutal"}):
            assert (await client.get("/api/challenges", params=wanted)).status_code == 422


@anyio
async def test_unknown_challenge_is_not_found(service: Service) -> None:
    answer = await service.client().get("/api/challenges/..%2f..%2fetc")
    assert answer.status_code == 404
    assert (await service.client().get("/api/challenges/nothing")).json()["code"] == "challenge_not_found"


@anyio
async def test_malformed_folders_are_left_out_and_reported_to_admins(home: Path) -> None:
    root = home / "challenges"
    write_challenge(root)
    (write_challenge(root, "broken-tests") / "tests.py").write_text("def (:\n")
    (write_challenge(root, "broken-toml") / "challenge.toml").write_text("title = ")
    (write_challenge(root, "no-lock") / "tests.lock").unlink()
    (write_challenge(root, "not-utf8") / "statement.md").write_bytes(b"\xff")
    (write_challenge(root, "deep-tests") / "tests.py").write_text("x = " + "(" * 5000 + ")" * 5000)
    write_challenge(root, "add-one", section="other")
    async with running(settings_in(home)) as service:
        admin = await service.admin()
        served = (await admin.http.get("/api/challenges")).json()
        assert [(item["slug"], item["section"]) for item in served["items"]] == [("add-one", "basics")]
        told = (await admin.http.get("/api/admin/catalogue")).json()
        folders = {item["folder"]: item["reason"] for item in told["left_out"]}
        names = ["broken-tests", "broken-toml", "deep-tests", "no-lock", "not-utf8"]
        assert sorted(folders) == [*(f"basics/{name}" for name in names), "other/add-one"]
        assert "line 1" in folders["basics/broken-tests"]
        assert str(home) not in str(folders)
        assert (await service.client().get("/api/admin/catalogue")).status_code == 401
        assert (await (await service.person()).http.get("/api/admin/catalogue")).status_code == 403


@anyio
async def test_reload_shows_new_and_changed_challenges(home: Path) -> None:
    root = home / "challenges"
    folder = write_challenge(root)
    async with running(settings_in(home)) as service:
        admin = await service.admin()
        before = await admin.http.get("/api/challenges")
        write_challenge(root, "add-two", title="Add two")
        shutil.rmtree(folder)
        assert (await admin.http.post("/api/admin/catalogue/reload")).json()["challenges"] == 1
        after = await admin.http.get("/api/challenges", headers={"If-None-Match": before.headers["etag"]})
        assert [item["slug"] for item in after.json()["items"]] == ["add-two"]


def test_missing_folder_is_an_empty_catalogue(tmp_path: Path) -> None:
    assert read_catalogue(tmp_path / "nowhere").challenges == ()


def test_samples_in_classes_and_by_other_spellings_are_found(tmp_path: Path) -> None:
    folder = write_challenge(tmp_path)
    (folder / "tests.py").write_text(
        "import pytest\n\nclass TestIt:\n    @pytest.mark.sample\n    @pytest.mark.parametrize('x', [1])\n"
        "    def test_zero(self, x):\n        assert x\n\n@sample()\ndef test_secret_number():\n    pass\n"
    )
    lock = (folder / "tests.lock").read_text().replace('"test_zero"', '"TestIt::test_zero[1]"')
    (folder / "tests.lock").write_text(lock)
    (sample,) = (
        CatalogueStore(tmp_path, PackageCache(tmp_path / "versions"), serve_unproven=True)
        .reload()
        .challenges[0]
        .samples
    )
    assert sample.source == (
        "@pytest.mark.sample\n@pytest.mark.parametrize('x', [1])\ndef test_zero(self, x):\n    assert x\n"
    )


def proven(folder: Path) -> None:
    """Write the lock file (`gate.lock`) that marks the challenge as proven by the authoring gate."""
    numbers = {"tests": 3, "accepted": 2, "wrong": 0, "saboteurs": 4, "mutants": 10, "killed": 9}
    proof = {"package": digest(folder), "key": "k", **numbers, "record": {}}
    (folder / "gate.lock").write_text(json.dumps(proof))


@anyio
async def test_only_what_the_gate_has_proven_as_it_is_now_is_served(home: Path) -> None:
    root = home / "challenges"
    whole, changed, never = (write_challenge(root, slug) for slug in ("whole", "changed", "never"))
    proven(whole)
    proven(changed)
    (changed / "statement.md").write_text("Something else.\n")
    async with running(settings_in(home, serve_unproven=False)) as service:
        listed = (await service.client().get("/api/challenges")).json()["items"]
        assert [item["slug"] for item in listed] == ["whole"]
        told = (await service.client().get("/api/challenges/whole")).json()["proof"]
        assert (told["mutants"], told["kill_rate"]) == (10, 0.9)
        assert "record" not in told
        left_out = {item.folder: item.reason for item in service.state.store.catalogue.left_out}
    assert left_out.keys() == {f"basics/{folder.name}" for folder in (changed, never)}
    assert all("gradus challenge check" in reason for reason in left_out.values())


def test_proof_that_cannot_be_read_leaves_the_challenge_out_with_a_reason(tmp_path: Path) -> None:
    (write_challenge(tmp_path) / "gate.lock").write_text("{")
    (item,) = read_catalogue(tmp_path).left_out
    assert "gate.lock" in item.reason
