"""Hidden tests: byte-pair encoding."""

import pytest

from grader.testing import assert_close, assert_not_mutated, check, points, sample

SPECIAL = {b"<|end|>": 900, b"<|end|>!": 901, b"(.*)": 1000, b"[a-c]+": 100_257, b"\n\n": 700}


def by_rule(ids, pair, new):
    """The ids with the pair replaced, from left to right."""
    out = []
    for i in ids:
        out.append(i)
        if out[-2:] == list(pair):
            # An id that was just made is no part of the pair, because a new id is larger than both.
            out[-2:] = [new]
    return out


def trained(data, vocab_size):
    """The merges, and the ids that are left of the data."""
    ids, merges = list(data), []
    while 256 + len(merges) < vocab_size:
        pairs = [(ids[i - 1], ids[i]) for i in range(1, len(ids))]
        most, _, pair = max(((pairs.count(p), (-p[0], -p[1]), p) for p in set(pairs)), default=(0, (0, 0), (0, 0)))
        if most < 2:
            break
        ids = by_rule(ids, pair, 256 + len(merges))
        merges.append(pair)
    return merges, ids


def encoded(data, merges):
    """The ids of data: a merge never makes a pair of a lower rank, so each has its turn once."""
    ids = list(data)
    for r, pair in enumerate(merges):
        ids = by_rule(ids, pair, 256 + r)
    return ids


def text(rng, n, alphabet=b"ab "):
    return bytes(rng.choice(alphabet) for _ in range(n))


def words(rng, n):
    """A text of n words out of a few, so that merges grow long."""
    some = [text(rng, rng.integer(2, 7), b"abcde") for _ in range(6)]
    return b" ".join(rng.choice(some) for _ in range(n))


def expect_ids(actual, expected, name="ids"):
    check(type(actual) is list and all(type(i) is int for i in actual), f"{name}: a list of Python ints expected")
    assert_close(actual, expected, name=name)


@sample
@points(1)
def test_training_by_hand(solution):
    """The merges of a short text, in order: aa, then ab (the smaller one of two equally frequent pairs), then aaab."""
    assert_close(solution.train(b"aaabdaaabac", 259), [(97, 97), (97, 98), (256, 257)], name="merges")


@sample
@points(1)
def test_rank_before_position(solution):
    """In "abc" with the merges bc and ab, bc has the lower rank: it goes first although ab stands further left."""
    expect_ids(solution.encode(b"abc", [(98, 99), (97, 98)]), [97, 256])


@sample
@points(1)
def test_special_by_hand(solution):
    """A special token gets its own id if it is given, and is ordinary text if it is not."""
    merges = [(97, 98), (62, 97)]  # ab, and >a
    expect_ids(solution.encode(b"ab<e>ab", merges, {b"<e>": 300}), [256, 300, 256])
    expect_ids(solution.encode(b"<e>ab", merges), [60, 101, 62, 256])


@sample
@points(1)
def test_decoding_by_hand(solution):
    """The ids 256 and 257 stand for the bytes of their pairs; an id that nobody knows is a ValueError."""
    merges = [(97, 98), (256, 99)]
    check(solution.decode([257, 256, 33, 300], merges, {b"<e>": 300}) == b"abcab!<e>", "other bytes expected")
    with pytest.raises(ValueError):
        solution.decode([258], merges)


ALPHABETS = {"two-letters": b"ab", "words": b"", "all-bytes": bytes(range(256)), "high-bytes": bytes(range(250, 256))}


@points(2)
@pytest.mark.parametrize("name", ALPHABETS)
def test_training(solution, rng, name):
    """For any text, the most frequent pair is merged first, and all neighbours are counted again after each merge."""
    data = words(rng, 60) if name == "words" else text(rng, 300, ALPHABETS[name])
    for size in (257, 262, 290):
        actual = solution.train(data, size)
        check(type(actual) is list and all(type(p) is tuple for p in actual), "a list of tuples expected")
        assert_close(actual, trained(data, size)[0], name=f"merges for a vocabulary of {size}")


@points(2)
def test_ties(solution, rng):
    """Among equally frequent pairs the smallest counts, wherever it stands in the text."""
    for _ in range(4):
        # Each letter has one successor, so all pairs of the first round are equally frequent.
        letters = rng.permutation(6).tolist()
        data = bytes(100 + i for i in letters) * 3
        for size in (257, 261):
            assert_close(solution.train(data, size), trained(data, size)[0], name="merges")
    # zy and ab occur twice each, every other pair once.
    assert_close(solution.train(b"zyzy-abab", 257), [(97, 98)], name="merges")


@points(2)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 8])
def test_runs_of_one_byte(solution, n):
    """In a run of one byte, each position counts as a pair, and a replacement never uses an id twice."""
    data = b"a" * n
    merges, ids = trained(data, 300)
    assert_close(solution.train(data, 300), merges, name="merges")
    expect_ids(solution.encode(data, [(97, 97)]), by_rule(list(data), (97, 97), 256))
    expect_ids(solution.encode(data, merges), ids)
    # Overlapping places count: cccb has cc twice, and so do the two letters de.
    assert_close(solution.train(b"ccc" + b"dede", 257), [(99, 99)], name="merges with overlapping places")


@points(2)
def test_when_training_ends(solution, rng):
    """Training ends before a pair that occurs only once, or with a full vocabulary; a text may be too short for any pair."""
    everything = bytes(rng.permutation(256).tolist())
    for data in (b"", b"a", b"ab", b"aa", everything):
        check(solution.train(data, 400) == [], "a pair that occurs only once is no merge")
    check(solution.train(b"abababab", 256) == [], "a vocabulary of 256 has no room for a merge")
    check(solution.train(b"abab", 1000) == [(97, 98)], "after (a, b), no pair occurs twice")
    with pytest.raises(ValueError):
        solution.train(b"abab", 255)


@points(3)
@pytest.mark.parametrize("name", ["same-text", "other-text", "dense"])
def test_encoding(solution, rng, name):
    """Again and again, the pair of the lowest rank in the whole text is replaced, until no known pair is left."""
    source = words(rng, 60)
    merges, left = trained(source, 300)
    if name == "same-text":
        expect_ids(solution.encode(source, merges), left)
        return
    if name == "other-text":
        for data in (text(rng, 200, b"abcde "), source[::-1], b"", b"e"):
            expect_ids(solution.encode(data, merges), encoded(data, merges))
        return
    # Every pair of letters and many pairs of pairs are known, in random order: position and length mislead.
    pairs = [(97 + i, 97 + j) for i in range(3) for j in range(3)]
    merges = [pairs[i] for i in rng.permutation(9).tolist()]
    larger = [(256 + i, 256 + j) for i in range(9) for j in range(9)]
    merges += [larger[i] for i in rng.permutation(81).tolist()[:40]]
    for _ in range(3):
        data = text(rng, 60, b"abc")
        expect_ids(solution.encode(data, merges), encoded(data, merges))


@points(2)
def test_round_trip(solution, rng):
    """All bytes come back after encoding and decoding, valid UTF-8 or not, seen in training or not."""
    merges, _ = trained(words(rng, 40), 290)
    for data in (text(rng, 400, bytes(range(256))), "naïve 東京 🙂".encode(), bytes(range(256)), b"", words(rng, 9)):
        ids = solution.encode(data, merges)
        check(solution.decode(ids, merges) == data, "decode(encode(data)) is not data")
        both = {b"\xff\xfe": 5000, b"b": 5001}
        ids = solution.encode(data, merges, both)
        check(solution.decode(ids, merges, both) == data, "with special tokens, decode(encode(data)) is not data")


@points(2)
def test_decoding(solution, rng):
    """Any known ids can be decoded, one after the other: bytes of a piece are the bytes of its two parts."""
    merges, _ = trained(words(rng, 50), 300)
    pieces = {i: bytes([i]) for i in range(256)}
    for r, (a, b) in enumerate(merges):
        pieces[256 + r] = pieces[a] + pieces[b]
    pieces |= {i: token for token, i in SPECIAL.items()}
    known = sorted(pieces)
    for length in (0, 1, 40, 40):
        ids = [rng.choice(known) for _ in range(length)]
        actual = solution.decode(ids, merges, SPECIAL)
        check(type(actual) is bytes, "bytes expected")
        check(actual == b"".join(pieces[i] for i in ids), "other bytes expected")


@points(1)
@pytest.mark.parametrize("name", ["negative", "beyond", "special-not-given", "no-merges"])
def test_unknown_ids(solution, rng, name):
    """An id below 0, beyond the merges, or of a special token that is not given is a ValueError."""
    merges = [(97, 98), (256, 99)]
    bad = {
        "negative": -1 - rng.integer(0, 3),
        "beyond": 258 + rng.integer(0, 9),
        "special-not-given": 900,
        "no-merges": 256,
    }
    if name == "no-merges":
        merges = []
    with pytest.raises(ValueError):
        solution.decode([97, bad[name]], merges, {b"<e>": 899})


def with_specials(rng, ordinary, count):
    """A text with special tokens in it, and the ids it must get, by the tokens' places."""
    parts = []
    for _ in range(count):
        parts += [ordinary(), rng.choice(list(SPECIAL))]
    return [*parts, ordinary()]


@points(3)
def test_special_tokens(solution, rng):
    """Special tokens are cut out first, as plain bytes and not as patterns; what lies between is encoded on its own."""
    source = words(rng, 60)
    merges, _ = trained(source, 300)
    # A word and a "!" never meet: no part changes which special token begins where.
    for _ in range(4):
        parts = with_specials(rng, lambda: words(rng, rng.integer(0, 5)), 6)
        expected = []
        for i, part in enumerate(parts):
            expected += [SPECIAL[part]] if i % 2 else encoded(part, merges)
        expect_ids(solution.encode(b"".join(parts), merges, SPECIAL), expected)


@points(2)
def test_longest_special_token(solution, rng):
    """Of special tokens that begin at one position the longest counts, whatever their order in the dictionary."""
    names = [b"<s>", b"<s><s>", b"<s>x", b"s"]
    for order in (names, names[::-1], [names[i] for i in rng.permutation(4).tolist()]):
        special = {name: 400 + names.index(name) for name in order}
        expect_ids(solution.encode(b"<s><s><s>x<s>ss", [], special), [401, 402, 400, 403, 403])
        expect_ids(solution.encode(b"<<s>>", [], special), [60, 400, 62])


@points(1)
def test_leftmost_special_token(solution):
    """Special tokens are met from left to right: where two overlap, the one that begins first counts, not the longer one."""
    ids = {b"bcde": 300, b"ab": 301, b"cd": 302}
    for order in ((b"bcde", b"ab", b"cd"), (b"cd", b"ab", b"bcde")):
        special = {name: ids[name] for name in order}
        expect_ids(solution.encode(b"xabcde", [], special), [120, 301, 302, 101])
        expect_ids(solution.encode(b"bcdeab bcde", [], special), [300, 301, 32, 300])


@points(2)
def test_special_tokens_as_text(solution, rng):
    """Typed characters are ordinary text unless the caller asks for special tokens: otherwise users could end a document."""
    data = words(rng, 3) + b"<|end|>" + words(rng, 3)
    merges, _ = trained((data + b" ") * 3, 320)
    for special in (None, {}, {b"<|start|>": 900}):
        expect_ids(solution.encode(data, merges, special), encoded(data, merges))
    check(900 in solution.encode(data, merges, SPECIAL), "the special token did not get its id")


@points(1)
def test_merges_stop_at_special_tokens(solution):
    """No merge reaches into a special token, or across it: the two sides are texts of their own."""
    merges = [(97, 60), (62, 98), (97, 98), (60, 101), (256, 98)]  # a<, >b, ab, <e, a<b
    expect_ids(solution.encode(b"a<e>b", merges, {b"<e>": 300}), [97, 300, 98])
    expect_ids(solution.encode(b"<e><e>ab<e>", merges, {b"<e>": 300}), [300, 300, 258, 300])


@points(1)
def test_calls_are_independent(solution, rng):
    """Merges and ids follow the rules in call after call, and arguments stay as they are."""
    data = words(rng, 30)
    merges = assert_not_mutated(solution.train, data, 280)
    expected = trained(data, 280)[0]
    assert_close(merges, expected, name="merges")
    special = dict(SPECIAL)
    ids = assert_not_mutated(solution.encode, data, expected, special)
    assert_not_mutated(solution.decode, ids, expected, special)
    other = data[::-1]
    expect_ids(solution.encode(other, expected, special), encoded(other, expected))
    assert_close(solution.train(other, 280), trained(other, 280)[0], name="merges of a second text")
    expect_ids(solution.encode(data, []), list(data))
