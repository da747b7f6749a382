"""Tests the SVG drawings on pages: their URLs and headers, and which drawings are refused when a folder is read."""

from pathlib import Path

import pytest

from api.content.catalogue.linking import linked
from grader.content import package, topic
from grader.contract.errors import PackageError
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import running, settings_in
from tests.api.topic_folders import SVG, with_picture, write_picture, write_topic

SCRIPT = SVG.replace("<path", "<script>alert(1)</script><path")
REFUSED = {
    "script": (SCRIPT, "<script> may do more than draw"),
    "handler": (SVG.replace("<path", '<path onload="alert(1)"'), "may do more than draw"),
    "elsewhere": (SVG.replace("<path", '<use href="https://example.org/x"/><path'), "refers to its own parts only"),
    "entities": ('<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG, "entities are refused"),
    "no-svg": ("<html/>", "its root is html"),
    "broken": ("<svg", "not an SVG"),
    "huge": (SVG.replace("<path", f"<!--{'x' * 100_000}--><path"), "at most 100,000"),
}


@pytest.mark.anyio
async def test_a_page_names_the_address_and_the_size_of_its_picture(home: Path) -> None:
    with_picture(write_challenge(home / "challenges"))
    write_topic(home / "challenges")
    async with running(settings_in(home)) as service:
        client = service.client()
        page = (await client.get("/api/topics/adding")).json()["page"]
        assert "(/api/topics/adding/pictures/curve.svg#640x360)" in page
        for path in ("/api/topics/adding", "/api/challenges/add-one"):
            answer = await client.get(f"{path}/pictures/curve.svg")
            assert (answer.status_code, answer.text) == (200, SVG)
            assert answer.headers["content-type"] == "image/svg+xml"
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
            same = await client.get(f"{path}/pictures/curve.svg", headers={"If-None-Match": answer.headers["etag"]})
            assert same.status_code == 304
            missing = await client.get(f"{path}/pictures/other.svg")
            assert (missing.status_code, missing.json()["code"]) == (404, "picture_not_found")


@pytest.mark.anyio
async def test_an_editorial_shows_its_pictures_too(home: Path) -> None:
    folder = write_challenge(home / "challenges")
    (folder / "editorial.md").write_text("One more.\n\n![Up](pictures/curve.svg)\n")
    write_picture(folder)
    async with running(settings_in(home)) as service:
        ada = await service.person()
        await ada.http.post("/api/challenges/add-one/giving-up")
        editorial = (await ada.http.get("/api/challenges/add-one/editorial")).json()["editorial"]
    assert "![Up](/api/challenges/add-one/pictures/curve.svg#640x360)" in editorial


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_plain_drawing_is_refused(tmp_path: Path, name: str) -> None:
    svg, told = REFUSED[name]
    folder = write_topic(tmp_path)
    write_picture(folder, svg=svg)
    with pytest.raises(PackageError, match=told):
        topic.load(folder)


def test_pictures_and_pages_belong_together(tmp_path: Path) -> None:
    folder = write_challenge(tmp_path)
    path = write_picture(folder)
    with pytest.raises(PackageError, match="no page shows it"):
        package.load(folder)
    (folder / "editorial.md").write_text("![](pictures/curve.svg)")
    with pytest.raises(PackageError, match="between the brackets"):
        package.load(folder)
    (folder / "editorial.md").write_text("![Up](pictures/curve.svg)")
    assert package.load(folder).pictures == {"curve.svg": SVG.encode()}
    path.rename(path.with_name("Curve 2.svg"))
    with pytest.raises(PackageError, match="named like"):
        package.load(folder)
    (folder / "pictures" / "Curve 2.svg").unlink()
    with pytest.raises(PackageError, match="not there"):
        package.load(folder)


def test_pictures_change_no_version(tmp_path: Path) -> None:
    folder = write_challenge(tmp_path)
    before = package.digest(folder)
    write_picture(folder)
    (folder / ".ruff_cache").mkdir()
    (folder / ".ruff_cache" / "left").write_text("behind")
    assert package.digest(folder) == before


def test_only_pictures_that_are_there_get_a_size() -> None:
    assert linked("![a](pictures/b.svg)", "topics/c", {}) == "![a](/api/topics/c/pictures/b.svg)"
    assert linked("![a](other/b.svg)", "topics/c", {}) == "![a](other/b.svg)"
