"""Tests that the search finds text that pages show, even if words are reordered or misspelt, and never finds text that pages do
not show.
"""

from pathlib import Path

import pytest

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import read_catalogue
from api.content.search.documents import plain
from api.content.search.service import Index, excerpt
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import running, settings_in
from tests.api.topic_folders import write_topic, write_track

ROOT = Path(__file__).resolve().parents[3] / "challenges"
# These words occur only in parts of the test content that pages do not show: tests, references, editorials, seeds, reasons,
# explanations, options and answer keys.
HIDDEN = ("987654321", "SECRET", "secret number", "forgets", "remainder", "rhyme", "three is odd", "digits")


@pytest.fixture
def root(home: Path) -> Path:
    """A folder with a challenge, a topic with a quiz, and a track."""
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    write_track(home / "challenges")
    return home / "challenges"


@pytest.fixture(scope="module")
def real() -> Index:
    """The search index of the repository's own catalogue."""
    return Index(read_catalogue(ROOT, serve_unproven=True))


def found(index: Index, q: str) -> list[tuple[str, str]]:
    return [(hit.document.kind, hit.document.id) for hit in index.search(q)]


def test_words_in_any_order_with_a_beginning_and_a_slip(root: Path) -> None:
    index = Index(read_catalogue(root, serve_unproven=True))
    assert found(index, "zebra") == [("challenge", "add-one")]
    assert found(index, "ZEBRAS beware") == [("challenge", "add-one")], "one or many, in any order"
    assert found(index, "wal") == [("topic", "adding")], "the beginning of the last word"
    assert found(index, "wal older") == [], "but of no other word"
    assert found(index, "warlus") == [("topic", "adding")], "a slip of the pen"
    assert found(index, "even") == [("quiz", "adding")], "what a question asks"
    assert found(index, "steps first") == [("track", "first-steps")]
    assert found(index, "zebra walrus") == [], "all of a few words are needed"
    assert found(index, "TypeError") == [("topic", "adding")]
    for nothing in ("", "  ", "!?", "123", "_"):
        assert found(index, nothing) == []


def test_title_comes_before_text(root: Path) -> None:
    write_challenge(root, "zebra-crossing", title="Zebra crossing")
    index = Index(read_catalogue(root, serve_unproven=True))
    assert [name for _, name in found(index, "zebra")] == ["zebra-crossing", "add-one"]


@pytest.mark.parametrize("word", HIDDEN)
def test_what_is_hidden_is_not_found(root: Path, word: str) -> None:
    assert found(Index(read_catalogue(root, serve_unproven=True)), word) == []


@pytest.mark.parametrize(
    ("q", "wanted"),
    [
        ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x10 and 20x5)", ("topic", "shape-tracing")),
        (
            "one of the variables needed for gradient computation has been modified by an inplace operation",
            ("topic", "inplace-versus-autograd"),
        ),
        ("view size is not compatible with input tensor's size and stride", ("topic", "reshape-view-flatten")),
        ("sofmax overflow", ("challenge", "stable-softmax")),
        ("atention", ("challenge", "scaled-dot-product-attention")),
        ("essentials", ("track", "fifteen-essentials")),
    ],
)
def test_what_people_paste_is_found_in_the_catalogue(real: Index, q: str, wanted: tuple[str, str]) -> None:
    assert wanted in found(real, q)[:8]


def test_slip_finds_what_the_right_word_finds(real: Index) -> None:
    assert found(real, "atention")[:12] == found(real, "attention")[:12]


def test_excerpt_shows_the_words_where_they_stand(root: Path) -> None:
    index = Index(read_catalogue(root, serve_unproven=True))
    (hit,) = index.search("zebra")
    pieces = excerpt(hit)
    assert [text for text, is_word in pieces if is_word] == ["zebra"]
    assert "".join(text for text, _ in pieces) == "Write add_one (add-one). Beware of the zebra."


def test_excerpt_of_a_long_text_is_short_and_hostile_text_stays_text(root: Path) -> None:
    folder = root / "basics" / "add-one"
    (folder / "statement.md").write_text("word " * 500 + "<img src=x onerror=alert(1)> quagga " + "word " * 500)
    (hit,) = Index(read_catalogue(root, serve_unproven=True)).search("quagga")
    pieces = excerpt(hit)
    text = "".join(piece for piece, _ in pieces)
    assert len(text) < 200
    assert text.startswith("… ")
    assert text.endswith(" …")
    assert "<img src=x onerror=alert(1)> quagga" in text


def test_markup_is_left_out_of_excerpts() -> None:
    told = plain(
        "# Head\n\nSee [the page](https://x.org) of **bold** `code`.\n```python\nx = 1\n```\n| a | b |\n|---|---|\n"
    )
    assert told == "Head See the page of bold code . x = 1 a b"


def test_no_catalogue_finds_nothing() -> None:
    assert Index(Catalogue()).search("attention") == []


@pytest.mark.anyio
async def test_search_over_http(home: Path, root: Path) -> None:
    async with running(settings_in(home)) as service:
        client = service.client()
        told = (await client.get("/api/search", params={"q": "adding"})).json()
        assert told["total"] == len(told["items"]) >= 3
        assert told["items"][0]["where"] == "title"
        assert told["items"][0]["excerpt"] == [{"text": "Adding", "hit": True}]
        assert len((await client.get("/api/search", params={"q": "adding", "limit": 1})).json()["items"]) == 1
        write_challenge(root, "quagga", title="Quagga")
        service.state.store.reload()
        assert (await client.get("/api/search", params={"q": "quagga"})).json()["total"] == 1, (
            "a new catalogue is indexed"
        )


@pytest.mark.anyio
async def test_strange_questions_are_refused(home: Path) -> None:
    async with running(settings_in(home)) as service:
        for q in ("x" * 301, "\x00"):
            assert (await service.client().get("/api/search", params={"q": q})).status_code == 422
        assert (await service.client().get("/api/search?q=x&p=1")).status_code == 422
