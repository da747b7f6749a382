"""Tests that the client reads event streams, formulas, pictures and texts completely, and makes them safe to print."""

import io
import itertools
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from frontend.cli import clean
from frontend.cli.failure import Failure
from frontend.cli.rendering import screen
from frontend.cli.rendering.maths import to_unicode
from frontend.cli.rendering.pictures import picture
from frontend.cli.rendering.statement import with_formulas
from frontend.cli.service.records import Exhibit
from frontend.cli.service.sse import MAX_BYTES, Event, Reader

STREAM = (
    "\ufeffretry: 250\n\n: keep-alive\n\nid: 1.0.0\nevent: queued\ndata: {}\n\n"
    'id: 1.1.1\r\nevent: test\r\ndata: {"a":\r\ndata:  1}\r\nunknown: x\r\n\r\nevent: alone\r\rdata\r\rid'
    ": a\0b\ndata: ü\n\nevent: half"
).encode()
EVENTS = [Event("queued", "{}"), Event("test", '{"a":\n 1}'), Event("message", ""), Event("message", "ü")]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_stream_is_read_alike_however_it_is_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    reader = Reader()
    found = [event for a, b in itertools.pairwise(places) for event in reader.feed(STREAM[a:b])]
    assert found == EVENTS
    assert (reader.last_id, reader.retry_s) == ("1.1.1", 0.25)


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_no_bytes_break_the_reader(chunks: list[bytes]) -> None:
    reader = Reader()
    for chunk in chunks:
        reader.feed(chunk)
    reader.restart()
    assert reader.feed(b"data: x\n\n") == [Event("message", "x")]


def test_event_without_end_is_refused() -> None:
    reader = Reader()
    assert not reader.feed(b"data: " + b"x" * (MAX_BYTES // 2) + b"\n")
    with pytest.raises(Failure, match="too large"):
        reader.feed(b"data: " + b"x" * (MAX_BYTES // 2 + 1))


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{1}{\sqrt{d_k}}", "1/√dₖ"),
        (r"x^2 + y_{ij}", "x² + yᵢⱼ"),
        (r"\operatorname{softmax}\!\Big(\frac{QK^\top}{\sqrt d}\Big)\,V", "softmax(QKᵀ/√d) V"),
        (r"\hat y \in \mathbb{R}^{n\times m}", "ŷ ∈ ℝ^(n × m)"),
        (r"\lfloor h/R \rfloor \ge -1", "⌊h/R⌋ ≥ −1"),
        (r"\log\theta + \max(0, x')", "log θ + max(0, x′)"),
        (r"\begin{cases} a & b \\ c & d \end{cases}", "a    b\nc    d"),
        (r"\unknown{x}", "unknownx"),
        ("{" * 5000, "{" * 5000),
    ],
)
def test_formula_can_be_read(tex: str, text: str) -> None:
    assert to_unicode(tex) == text


@given(st.text(alphabet="\\{}^_$abfracqt[] \n&", max_size=60))
def test_no_formula_breaks_the_statement(text: str) -> None:
    with_formulas(text)


def test_code_and_prices_keep_their_dollars() -> None:
    text = "`$x$` costs $5 and $6\n\n```\n$a$\n```\n"
    assert with_formulas(text) == text
    assert with_formulas("where $x_1$ is") == "where x₁ is"


@given(st.text())
def test_no_text_steers_the_terminal(text: str) -> None:
    for made in (clean.block(text), clean.line(text)):
        assert not any(each in made for each in "\x1b\x07\x08\x9b\r\u202e\u2066\u200b")
    assert "\n" not in clean.line(text)


def shown(exhibit: dict[str, Any], width: int = 60, *, colours: bool = False) -> str:
    """Print an exhibit (a chart of a test's result) and return the printed text."""
    system: Literal["truecolor"] | None = "truecolor" if colours else None
    console = Console(
        file=io.StringIO(),
        width=width,
        theme=screen.THEME,
        force_terminal=colours,
        color_system=system,
        highlight=False,
        markup=False,
    )
    console.print(picture(Exhibit(**exhibit), console))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def difference(**more: Any) -> dict[str, Any]:
    side = {"shape": [2, 3], "dtype": "float32"}
    data = {
        "actual": side,
        "expected": side,
        "comparable": True,
        "count": 6,
        "exact": 4,
        "max": 0.5,
        "mean": 0.1,
        **more,
    }
    return {"title": "out", "kind": "difference", "data": data}


def test_difference_says_where_and_draws_it() -> None:
    found = {"values": [[0.0, 0.5, None], [0.0, 0.01, 0.0]], "shape": [2, 3]}
    told = shown(difference(worst_index=[0, 1], map=found))
    assert "largest error 0.5 at [0, 1]" in told
    assert "  ██××" in told
    assert "  ░░" in told
    assert "× not finite" in told


def test_other_dtype_or_shape_is_told() -> None:
    told = shown(difference(actual={"type": "list"}, comparable=False))
    assert "yours         list" in told
    assert "largest" not in told


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize("width", [30, 60, 120])
def test_large_matrix_fits_and_keeps_its_one_wrong_element(width: int, colours: bool) -> None:
    values = [[0.0] * 64 for _ in range(64)]
    values[40][50] = 1.0
    told = shown(
        {"title": "m", "kind": "heatmap", "data": {"values": values, "shape": [640, 640]}}, width, colours=colours
    )
    if colours:
        assert "255;190;40" in told
    else:
        # One is the wrong element, and the colour scale below the matrix ends with three.
        assert told.count("█") == 1 + 3
        assert max(cell_len(line) for line in told.splitlines()) <= width


def test_curves_are_drawn_in_dots_or_blocks() -> None:
    series = [
        {"name": "yours", "length": 3, "x": [0, 1, 2], "y": [1.0, 0.5, None]},
        {"name": "reference", "length": 3, "x": [0, 1, 2], "y": [1.0, 0.25, 0.0]},
    ]
    exhibit = {"title": "loss", "kind": "curve", "data": {"series": series, "x_label": "step", "y_label": "loss"}}
    assert "yours      █" in shown(exhibit)
    assert "loss from 0 to 1 over step 0 to 2" in shown(exhibit)
    assert any(0x2800 < ord(each) < 0x2900 for each in shown(exhibit, colours=True))


@pytest.mark.parametrize("data", [{}, {"values": [["x"]]}, {"values": [[]], "shape": []}, {"series": [], "actual": 1}])
@pytest.mark.parametrize("kind", ["difference", "heatmap", "curve", "hologram"])
def test_strange_pictures_break_nothing(kind: str, data: dict[str, Any]) -> None:
    assert "title" in shown({"title": "title", "kind": kind, "data": data})


def test_norms_stand_beside_what_they_should_be() -> None:
    rows = [
        {"name": "first", "actual": 5.0, "expected": 0.6},
        {"name": "b", "actual": None, "expected": "not finite"},
        {"name": "same", "actual": 1, "expected": 1.0},
    ]
    told = shown({"title": "g", "kind": "gradients", "data": {"rows": rows, "compared": True, "left_out": 2}})
    assert [" ".join(line.split()) for line in told.splitlines()[1:]] == [
        "first 5 expected 0.6",
        "b none expected not finite",
        "same 1 expected 1",
        "and 2 more",
    ]


def test_operators_are_named_and_what_they_say_stays_text() -> None:
    rows = [{"name": "aten::mul", "count": 2}, {"name": "evil\x1b[31m", "count": 1}]
    told = shown({"title": "o", "kind": "operators", "data": {"rows": rows, "left_out": 0}})
    assert "aten::mul × 2" in told
    assert "\x1b" not in told
