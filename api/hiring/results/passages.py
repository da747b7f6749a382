"""Finds passages that answers share. This is a separate program that uses only the standard library; it reads and writes
JSON:

    in:  {"tasks": [{"given": [source], "references": [source], "answers": [{"id", "who", "asked", "source"}]}]}
    out: {"pairs": [{"task", "left", "right", "left_share", "right_share", "tokens", "passages": [[from, to, from, to]]}]}

`who` identifies the author. Answers of one author are not compared with each other. `asked` is true for the answers of the
assessment for which the comparison is made. Two answers are compared only if `asked` is true for at least one of them.

Answers are compared as sequences of tokens. Everything that is easy to change is ignored: the author's own names, comments,
docstrings, annotations, layout, and the style of imports. Each run of `GRAM` tokens is called a gram. To find quickly which
answers must be compared in full, a few grams of each answer are selected by winnowing (S. Schleimer, D. Wilkerson, A. Aiken,
«Winnowing: Local Algorithms for Document Fingerprinting», SIGMOD 2003).

Grams of the code that all candidates were given (`given`) do not count. Grams that occur in several references do not count
either: code that independent authors write in the same way follows from the task. A token counts if it belongs to a gram that
counts. A share is the part of an answer's counting tokens that also occurs in the other answer.
"""

import ast
import builtins
import io
import json
import keyword
import os
import resource
import sys
import tokenize
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

GRAM, WINDOW = 9, 4
# An answer is compared only if at least this many of its tokens count. Shorter answers can be equal by chance.
LEAST_TOKENS = 40
LEAST_SHARE = 0.6
MOST_PAIRS, MOST_PASSAGES, MOST_PLACES = 500, 40, 8
MOST_CHARACTERS = 65_536
MEMORY_BYTES = 2 * 1024**3
KEPT_WORDS = {*keyword.kwlist, *dir(builtins)}
F_STRING = {getattr(tokenize, name, -1) for name in ("FSTRING_MIDDLE", "FSTRING_END")}
SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, *F_STRING}
TEXT = {tokenize.STRING, getattr(tokenize, "FSTRING_START", -1)}
Raw = tokenize.TokenInfo


@dataclass(frozen=True)
class Text:
    """An answer as a sequence of numbers, one per token, and the line of each token."""

    words: list[int]
    lines: list[int]

    @cached_property
    def grams(self) -> list[int]:
        """Return the hash of each run of `GRAM` consecutive tokens."""
        return [hash(tuple(self.words[at : at + GRAM])) for at in range(len(self.words) - GRAM + 1)]

    def counting(self, common: set[int]) -> set[int]:
        """Return the positions of the tokens that count. A token counts if it belongs to at least one gram that is not in
        `common`.
        """
        own = (at for at, gram in enumerate(self.grams) if gram not in common)
        return {place for at in own for place in range(at, at + GRAM)}


def read(source: str) -> Text:
    """Return the tokens that are compared. At a syntax error, the tokenizer stops, and only the tokens before it are used."""
    statements = list(_statements(source[:MOST_CHARACTERS]))
    modules = dict(pair for one in statements for pair in _imported(one))
    found = [word for one in statements if not _is_silent(one) for word in _words(_bare(one), modules)]
    return Text([zlib.crc32(word.encode(errors="surrogatepass")) for word, _ in found], [line for _, line in found])


def winnowed(grams: Sequence[int], common: set[int]) -> set[int]:
    """Return the grams that are selected for a fast comparison. These are the smallest gram of each window of `WINDOW` grams.
    Grams in `common` are removed first.
    """
    own = [gram for gram in grams if gram not in common]
    return {min(own[at : at + WINDOW]) for at in range(max(1, len(own) - WINDOW + 1))} if own else set()


def idioms(references: Sequence[Text]) -> set[int]:
    """Return the grams that occur in at least two references."""
    seen = Counter(gram for one in references for gram in set(one.grams))
    return {gram for gram, count in seen.items() if count > 1}


def compared(left: Text, right: Text, common: set[int]) -> dict[str, Any]:
    """Return how much two answers share, and where. A passage consists of four line numbers: the first and the last line on the
    left, and the first and the last line on the right.
    """
    runs = list(_runs(left, right, common))
    parts = [{place for run in runs for place in range(run[side], run[side] + run[2])} for side in (0, 1)]
    counting = [left.counting(common), right.counting(common)]
    shares = [len(part & own) / len(own) if own else 0.0 for part, own in zip(parts, counting, strict=True)]
    lines = [
        [text.lines[place] for text, at in ((left, at), (right, to)) for place in (at, at + count - 1)]
        for at, to, count in runs
    ]
    return {
        "left_share": round(shares[0], 3),
        "right_share": round(shares[1], 3),
        "tokens": len(parts[0] & counting[0]),
        "passages": _joined(lines)[:MOST_PASSAGES],
    }


def pairs(tasks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the pairs with the largest shares, over all tasks. Shares are rounded to three digits. The larger of a pair's two
    shares decides whether the pair is listed, and at which place.
    """
    texts = [_Task(number, task) for number, task in enumerate(tasks)]
    likely = sorted((found for task in texts for found in task.likely()), key=lambda one: -one[0])[:MOST_PAIRS]
    results = [texts[number].result(left, right) for _, number, left, right in likely]
    results = [one for one in results if max(one["left_share"], one["right_share"]) >= LEAST_SHARE]
    return sorted(results, key=lambda one: (-max(one["left_share"], one["right_share"]), one["left"], one["right"]))


class _Task:
    def __init__(self, number: int, task: dict[str, Any]) -> None:
        self.number, self.answers = number, task["answers"]
        self.common = {gram for source in task["given"] for gram in read(source).grams}
        self.common |= idioms([read(source) for source in task["references"]])
        known = {answer["source"]: None for answer in self.answers}
        read_once = {source: read(source) for source in known}
        self.texts = [read_once[answer["source"]] for answer in self.answers]

    def likely(self) -> Iterator[tuple[float, int, int, int]]:
        """Yield the pairs that probably reach `LEAST_SHARE`, judging by their selected grams. Each pair is a tuple of the
        estimated share, the number of the task, and the indices of the left and the right answer.
        """
        chosen = [self._chosen(text) for text in self.texts]
        for left, one in enumerate(self.answers):
            for right in range(left + 1, len(self.answers)) if one["asked"] and chosen[left] else ():
                if not chosen[right] or one["who"] == self.answers[right]["who"]:
                    continue
                mine, other = chosen[left], chosen[right]
                share = len(mine & other) / min(len(mine), len(other))
                if share >= LEAST_SHARE * 0.8:
                    yield share, self.number, left, right

    def result(self, left: int, right: int) -> dict[str, Any]:
        """Compare all tokens of two answers. `left` and `right` are indices in `answers`."""
        ids = {"task": self.number, "left": self.answers[left]["id"], "right": self.answers[right]["id"]}
        return ids | compared(self.texts[left], self.texts[right], self.common)

    def _chosen(self, text: Text) -> set[int]:
        enough = len(text.counting(self.common)) >= LEAST_TOKENS
        return winnowed(text.grams, self.common) if enough else set()


def _statements(source: str) -> Iterator[list[Raw]]:
    """Yield the tokens of each statement, without comments and layout."""
    one: list[Raw] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
                yield one
                one = []
            elif token.type not in SKIPPED and token.string != ";":
                one.append(token)
    except (tokenize.TokenError, SyntaxError):
        yield one


def _imported(one: list[Raw]) -> list[tuple[str, str]]:
    """Return the names that a statement imports, each with the last part of the imported path: (c, b) for `import a.b as c`."""
    if not one or one[0].string not in ("import", "from"):
        return []
    try:
        (node,) = ast.parse(" ".join(token.string for token in one)).body
    except (SyntaxError, ValueError):
        return []
    found: list[ast.alias] = getattr(node, "names", [])
    named = [(alias.asname, alias.name.rpartition(".")[2]) for alias in found if alias.asname]
    return named + [(alias.name.partition(".")[0],) * 2 for alias in found if not alias.asname]


def _is_silent(one: list[Raw]) -> bool:
    """Return whether the statement is left out of the comparison, because it is empty, an import, or only a string, such as a
    docstring.
    """
    return not one or one[0].string in ("import", "from") or all(token.type in TEXT for token in one)


def _bare(one: list[Raw]) -> list[Raw]:
    """Return the statement without type annotations."""
    words = [token.string for token in one]
    if len(one) > 1 and words[1] == ":" and words[0] not in KEPT_WORDS:
        return [one[0], *one[words.index("=") :]] if "=" in words else []
    if "def" not in words[:2]:
        return one
    kept, depth, skips = [], 0, False
    for token in one:
        depth += (token.string in "([{") - (token.string in ")]}")
        if skips and ((depth == 1 and token.string in (",", "=")) or (depth == 0 and token.string in (")", ":"))):
            skips = False
        elif not skips and ((depth == 1 and token.string == ":") or (depth == 0 and token.string == "->")):
            skips = True
        if not skips:
            kept.append(token)
    return kept


def _words(one: list[Raw], modules: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the text that represents each token in a comparison, and the line of the token. All names that the author chose are
    represented by the same text. A dotted path into a module is represented by its last part.
    """
    defines = bool(one) and "def" in [token.string for token in one[:2]]
    at = 0
    while at < len(one):
        token, line = one[at], one[at].start[0]
        before, after = (one[at - 1].string if at else ""), (one[at + 1].string if at + 1 < len(one) else "")
        if token.type in TEXT:
            yield "''", line
        elif token.type != tokenize.NAME or token.string in KEPT_WORDS:
            yield token.string, line
        elif before == ".":
            yield ("own" if at > 1 and one[at - 2].string == "self" else token.string), line
        elif token.string in modules:
            while at + 2 < len(one) and one[at + 1].string == "." and one[at + 2].type == tokenize.NAME:
                at += 2
            yield (one[at].string if one[at] is not token else modules[token.string]), line
        else:
            named = after == "=" and before in ("(", ",") and not defines
            yield (token.string if named else "name"), line
        at += 1


def _runs(left: Text, right: Text, common: set[int]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of tokens that occur in both answers, as (position on the left, position on the right, length). Runs do not
    overlap on the left.
    """
    places: dict[int, list[int]] = {}
    for at, gram in enumerate(right.grams):
        if gram not in common and len(found := places.setdefault(gram, [])) < MOST_PLACES:
            found.append(at)
    at = 0
    while at < len(left.grams):
        longest = max(((_length(left, right, at, to), to) for to in places.get(left.grams[at], ())), default=None)
        if longest is None:
            at += 1
        else:
            yield at, longest[1], longest[0]
            at += longest[0]


def _length(left: Text, right: Text, at: int, to: int) -> int:
    count = 0
    most = min(len(left.words) - at, len(right.words) - to)
    while count < most and left.words[at + count] == right.words[to + count]:
        count += 1
    return count


def _joined(passages: list[list[int]]) -> list[list[int]]:
    """Merge passages that follow each other without a gap on both sides. Each passage is a list of line numbers."""
    found: list[list[int]] = []
    for one in passages:
        last = found[-1] if found else None
        if last and 0 <= one[0] - last[1] <= 1 and 0 <= one[2] - last[3] <= 1:
            last[1], last[3] = max(last[1], one[1]), max(last[3], one[3])
        else:
            found.append(list(one))
    return found


def main() -> None:
    """Read the answers from stdin, and write the similar pairs to stdout. The process uses at most MEMORY_BYTES of memory."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    json.dump({"pairs": pairs(json.load(sys.stdin)["tasks"])}, sys.stdout)


if __name__ == "__main__":
    main()
