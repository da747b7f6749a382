"""Draws a speed board as an SVG picture that can be embedded in other pages."""

import math
from collections.abc import Iterable, Sequence
from html import escape

from api.practice.feeds.feeds import xml_text
from api.practice.feeds.svg_images import shortened
from api.practice.speed_boards.schemas import IntervalView, SpeedBoardPage

WIDTH, ROW, TOP, LEFT, RIGHT = 640, 26, 64, 230, 90
# The number of entries that the picture shows.
SHOWN = 10
# Stands for 0 on the logarithmic axis.
SMALLEST = 1e-9
NAMES = {"baseline": "Baseline", "library": "torch's own", "best": "Best known"}
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 } .soft { fill: #59636e } .title { font-weight: 600; font-size: 15px }
.back { fill: #ffffff } .bar { stroke: #3b5bdb } .dot { fill: #3b5bdb }
.axis { stroke: #d1d9e0 } .num { text-anchor: end; font-variant-numeric: tabular-nums }
@media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .soft { fill: #9198a1 } .back { fill: #0d1117 }
.bar { stroke: #91a7ff } .dot { fill: #91a7ff } .axis { stroke: #3d444d } }
.house .bar { stroke: #868e96 } .house .dot { fill: #868e96 }
"""


def picture(page: SpeedBoardPage) -> str:
    """Return an SVG picture of the first entries of a board and of the answers that it measures for comparison."""
    rows = [(f"{each.rank}", each.name, each.interval, "entry") for each in page.items[:SHOWN]]
    rows += [("", NAMES[each.role], each.interval, "house") for each in page.house]
    height = TOP + ROW * max(len(rows), 1) + 40
    what = "times as fast as the baseline" if page.quantity == "speed" else "times less memory than the baseline"
    where = f"{page.board.cpu}, torch {page.board.torch}" if page.board else "nothing measured yet"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(xml_text(page.title))}: {what}">',
        f'<style>{STYLE}</style><rect class="back" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<text class="title" x="16" y="26">{escape(shortened(page.title, 60))}</text>',
        f'<text class="soft" x="16" y="46">{what}; {escape(shortened(where, 60))}</text>',
    ]
    if rows:
        parts += _rows(rows)
    else:
        parts.append(f'<text x="16" y="{TOP + 18}">No entry yet.</text>')
    parts.append(
        f'<text class="soft" x="16" y="{height - 14}">The bar shows where the true value lies; '
        "entries whose bars overlap share a place.</text></svg>"
    )
    return "\n".join(parts)


def _rows(rows: Sequence[tuple[str, str, IntervalView, str]]) -> Iterable[str]:
    least = math.log(min(each[2].low for each in rows) or SMALLEST) - 0.05
    most = math.log(max(each[2].high for each in rows) or SMALLEST) + 0.05

    def x(value: float) -> float:
        share = (math.log(value or SMALLEST) - least) / (most - least)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    if least <= 0 <= most:
        yield f'<line class="axis" x1="{x(1)}" x2="{x(1)}" y1="{TOP}" y2="{TOP + ROW * len(rows)}"/>'
    for number, (rank, name, interval, kind) in enumerate(rows):
        y = TOP + ROW * number + 13
        yield f'<g class="{kind}"><text class="num soft" x="36" y="{y + 4}">{rank}</text>'
        yield f'<text x="48" y="{y + 4}">{escape(shortened(name, 24))}</text>'
        ends = f'x1="{x(interval.low)}" x2="{x(interval.high)}"'
        yield f'<line class="bar" {ends} y1="{y}" y2="{y}" stroke-width="6" stroke-linecap="round" opacity="0.4"/>'
        yield f'<circle class="dot" cx="{x(interval.ratio)}" cy="{y}" r="4"/>'
        yield f'<text class="num" x="{WIDTH - 16}" y="{y + 4}">{interval.ratio:.2f} ×</text></g>'
