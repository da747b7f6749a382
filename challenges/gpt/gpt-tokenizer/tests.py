"""Hidden tests: encoding and decoding with the merges of a byte-pair tokenizer."""

from collections import Counter
from itertools import pairwise

import pytest

from grader.testing import check, points, sample

TEXTS = {
    "plain": "the cat sat on the mat, the rat sat on the cat",
    "scripts": "naïve café, πλάτων, Москва, 東京, שלום",
    "emoji": "🙂🙃 👩‍🔬 ok 🇩🇪",
    "one-byte": "a",
    "spaces": "  two  spaces\n\tand a tab\0 ",
    "composed": "e\u0301 and é are two texts",
}


def replaced(ids, pair, new):
    out, i = [], 0
    while i < len(ids):
        if tuple(ids[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(ids[i])
            i += 1
    return out


def learned(data, count):
    """Merges from this data, most frequent pair first."""
    ids, merges = list(data), []
    while len(merges) < count:
        counts = Counter(pairwise(ids))
        if not counts or max(counts.values()) < 2:
            break
        pair = max(counts, key=lambda p: (counts[p], p))
        ids = replaced(ids, pair, 256 + len(merges))
        merges.append(pair)
    return merges


def encoded(text, merges):
    """The steps of the statement, one by one."""
    ids = list(text.encode())
    while True:
        present = [merges.index(pair) for pair in pairwise(ids) if pair in merges]
        if not present:
            return ids
        ids = replaced(ids, merges[min(present)], 256 + min(present))


def drawn(rng, letters, length):
    return "".join(rng.choice(letters) for _ in range(length))


def same(found, expected, message):
    check(type(found) is type(expected), f"the result is a {type(found).__name__}, not a {type(expected).__name__}")
    check(found == expected, message)


@sample
@points(1)
def test_two_merges(solution):
    """Two merges that build on each other."""
    same(solution.encode("abcab", [(97, 98), (256, 99)]), [257, 256], "expected [257, 256]")


@sample
@points(1)
def test_the_first_merge_wins(solution):
    """The merge that was learned first comes first, wherever it stands in the text."""
    same(solution.encode("abc", [(98, 99), (97, 98)]), [97, 256], "expected [97, 256]: bc was learned before ab")


@sample
@points(1)
def test_decode_by_hand(solution):
    """Merged ids fall apart into their bytes."""
    same(solution.decode([257, 32, 256], [(97, 98), (256, 99)]), "abc ab", "expected 'abc ab'")


@sample
@points(1)
def test_bytes_of_a_character(solution):
    """Without merges, the ids are the bytes of the text in UTF-8."""
    same(solution.encode("é🙂", []), [195, 169, 240, 159, 153, 130], "the ids are not the bytes in UTF-8")


@points(2)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_repeated_elements(solution, count):
    """A run of equal elements: replace from left to right, and use no element twice."""
    merges = [(97, 97), (256, 256), (257, 97)]
    same(solution.encode("a" * count, merges), encoded("a" * count, merges), "the ids of a run differ")


@points(2)
@pytest.mark.parametrize("name", TEXTS)
def test_texts(solution, name):
    """The ids of a text differ from those of the rule, with merges learned from this text."""
    text = TEXTS[name]
    merges = learned(text.encode(), 12)
    same(solution.encode(text, merges), encoded(text, merges), "the ids differ")


@points(3)
@pytest.mark.parametrize("letters", ["ab", "abcd"], ids=["two-letters", "four-letters"])
def test_learned_from_other_text(solution, rng, letters):
    """Merges that were learned from another text, so that their order decides which pairs are still there."""
    merges = learned(drawn(rng, letters, 300).encode(), 30)
    for _ in range(4):
        text = drawn(rng, letters + "z", 60)
        same(solution.encode(text, merges), encoded(text, merges), "the ids differ")


@points(2)
def test_any_order_of_merges(solution, rng):
    """Merges need not come from counting: pairs of any ids that exist already, in any order."""
    for _ in range(4):
        merges = []
        while len(merges) < 25:
            pair = tuple(rng.choice([97, 98, 99, *range(256, 256 + len(merges))]) for _ in range(2))
            if pair not in merges:
                merges.append(pair)
        text = drawn(rng, "abc", 50)
        same(solution.encode(text, merges), encoded(text, merges), "the ids differ")


@points(2)
@pytest.mark.parametrize("name", TEXTS)
def test_round_trip(solution, rng, name):
    """decode(encode(text)) is the text, whatever the merges are."""
    text = TEXTS[name] + drawn(rng, TEXTS[name], 20)
    merges = learned(text.encode(), 20)
    same(solution.decode(solution.encode(text, merges), merges), text, "the text does not come back")


@points(2)
def test_tokens_that_end_inside_a_character(solution):
    """A token may end inside a character: join all bytes first, then decode."""
    data = list("aé🙂".encode())
    merges = [(97, 195), (169, 240), (159, 153)]
    same(solution.decode([256, 257, 258, 130], merges), "aé🙂", "the bytes of a character lie in two tokens")
    same(solution.decode(data, []), "aé🙂", "the bytes of a character are one token each")


@points(2)
@pytest.mark.parametrize(
    "ids", [[195], [97, 169, 98], [240, 159, 153], [255, 97]], ids=["cut", "lonely", "three-of-four", "never-valid"]
)
def test_bytes_that_are_not_text(solution, ids):
    """Bytes that are not valid UTF-8 become U+FFFD."""
    same(solution.decode(ids, []), bytes(ids).decode(errors="replace"), "invalid bytes are not shown as U+FFFD")


@points(2)
@pytest.mark.parametrize("bad", [257, 1000, -1, -257], ids=["next", "far", "negative", "far-negative"])
def test_ids_that_do_not_exist(solution, bad):
    """An id that no byte and no merge has is a ValueError, also a negative one."""
    with pytest.raises(ValueError):
        solution.decode([97, bad], [(97, 98)])


@points(1)
def test_deep_merges(solution):
    """Each merge builds on the one before it, twelve hundred times."""
    merges = [(97, 97), *((256 + i, 97) for i in range(1199))]
    same(solution.decode([1455], merges), "a" * 1201, "a deep token is not decoded")
    same(solution.encode("a" * 1201, merges[:50]), encoded("a" * 1201, merges[:50]), "the ids of a long run differ")


@points(1)
def test_nothing(solution):
    """An empty text has no ids, and no ids are an empty text."""
    same(solution.encode("", [(97, 98)]), [], "an empty text should give an empty list")
    same(solution.decode([], [(97, 98)]), "", "no ids should give an empty text")


@points(1)
def test_arguments_are_left_alone(solution):
    """The lists that were passed must be as they were, and a second call gives the same."""
    merges, ids = [(97, 98), (256, 99)], [257, 256]
    for _ in range(2):
        same(solution.encode("abcab", merges), [257, 256], "the second call differs, or the first")
        same(solution.decode(ids, merges), "abcab", "the second call differs, or the first")
    check(merges == [(97, 98), (256, 99)] and ids == [257, 256], "an argument was changed")
