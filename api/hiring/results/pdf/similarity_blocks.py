"""Builds the part of a candidate's report about similar answers."""

from collections.abc import Iterator

from api.hiring.results.pdf.block_formats import Block, heading, moment, percent, table
from api.hiring.results.schemas import Side, Similarity

# The maximum number of pairs in the report. The page of the web client shows all of them.
MOST = 10
FACTS = (
    "Names, comments, layout, starter code and code that every answer needs are ignored. Similarity alone is not evidence of "
    "copying."
)


def similar(alike: Similarity, participation_id: str) -> Iterator[Block]:
    """Yield what the latest comparison found about a candidate: the answers of others, and accepted answers and editorials of
    the catalogue, that share code with the candidate's answers.
    """
    yield heading("Similar answers")
    if alike.made_at is None:
        yield {"kind": "text", "text": "The answers of this assessment have not been compared."}
        return
    stale = "" if alike.fresh else " Answers have changed since then."
    if not alike.pairs:
        none = f"No answer shares {percent(alike.threshold)} or more of its code with another one."
        yield {"kind": "text", "text": f"{none} Compared on {moment(alike.made_at)}.{stale}"}
        return
    rows = []
    for pair in alike.pairs[:MOST]:
        own, other = (
            (pair.left, pair.right) if pair.left.participation_id == participation_id else (pair.right, pair.left)
        )
        differ = "; different variants" if pair.variants_differ else ""
        rows.append([pair.title, f"{_named(other)}{differ}", percent(own.share)])
    yield table(["Item", "Similar to", "Shared code"], [38, 46, 16], rows, left=2)
    more = f" {len(alike.pairs) - MOST} more pairs are on the results page." if len(alike.pairs) > MOST else ""
    yield {"kind": "text", "text": f"Compared on {moment(alike.made_at)}.{stale}{more} {FACTS}"}


def _named(side: Side) -> str:
    return f"{side.name}, in {side.elsewhere}" if side.elsewhere else side.name
