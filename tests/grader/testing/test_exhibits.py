"""Tests exhibits: tensors of any kind become plain JSON of limited size, and an exhibit never makes a test fail."""

import json
import math
from typing import Any

import pytest
import torch

from grader.testing.exhibits import Exhibits


def _only(exhibit: Exhibits) -> dict[str, Any]:
    (record,) = exhibit.records
    assert set(record) == {"title", "kind", "data"}
    # this fails for everything that is not strict JSON, such as NaN, infinities and tensors
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert len(json.dumps(record)) < 100_000
    data: dict[str, Any] = record["data"]
    return data


def _difference(actual: Any, expected: Any) -> dict[str, Any]:
    exhibit = Exhibits()
    exhibit.difference("weights", actual, expected)
    return _only(exhibit)


@pytest.mark.parametrize(
    "value",
    [
        torch.randn(2, 3, 4),
        torch.tensor(2.0),
        torch.zeros(0, 4),
        torch.zeros(4, 0),
        torch.tensor([True, False]),
        torch.arange(5),
        torch.randn(3, dtype=torch.complex64),
        torch.tensor([math.nan, math.inf, -math.inf, 1.0]),
        torch.randn(3).to(torch.float8_e5m2),
        torch.randn(4, 4).to_sparse(),
        torch.randn(3, requires_grad=True),
        2.5,
        3,
        True,
        [1.0, 2.0],
    ],
    ids=lambda value: type(value).__name__,
)
def test_anything_against_itself_has_no_error(value: Any) -> None:
    data = _difference(value, value)
    assert data["comparable"]
    assert data["exact"] == data["count"]
    assert sum(data["histogram"]["counts"]) == 0


def test_errors_are_counted_placed_and_binned() -> None:
    expected = torch.ones(3, 5)
    actual = expected.clone()
    actual[1, 2] += 0.5
    actual[2, 4] = torch.nan
    data = _difference(actual, expected)
    assert (data["count"], data["exact"], data["not_comparable"]) == (15, 13, 1)
    assert data["worst_index"] == [2, 4]
    assert data["max"] == data["max_relative_to_scale"] == 0.5
    low = data["histogram"]["low"]
    assert data["histogram"]["counts"][-1 - low] == 1
    assert data["map"]["values"][1] == [0, 0, 0.5, 0, 0]
    assert data["map"]["values"][2][4] is None


@pytest.mark.parametrize(
    ("actual", "described"),
    [
        (torch.ones(2, 1), {"shape": [2, 1], "dtype": "float32"}),
        (None, {"type": "NoneType"}),
        (torch.ones(2, device="meta"), {"type": "Tensor"}),
        ("text", {"type": "str"}),
        ([[1.0], [1.0, 2.0]], {"type": "list"}),
        (10**400, {"type": "int"}),
    ],
)
def test_what_cannot_be_compared_is_described(actual: Any, described: dict[str, Any]) -> None:
    data = _difference(actual, torch.ones(2))
    assert data == {
        "actual": described,
        "expected": {"shape": [2], "dtype": "float32"},
        "comparable": False,
    }


def test_no_value_of_either_side_is_shown() -> None:
    data = _difference(torch.full((3,), 0.123456), torch.full((3,), 0.654321))
    assert "0.12" not in json.dumps(data)
    assert "0.65" not in json.dumps(data)


def test_one_wrong_element_of_a_million_stays_visible() -> None:
    expected = torch.zeros(1000, 1000)
    actual = expected.clone()
    actual[777, 3] = 1.0
    data = _difference(actual, expected)
    values = data["map"]["values"]
    assert (len(values), len(values[0])) == (64, 64)
    assert [cell for row in values for cell in row if cell] == [1.0]
    assert data["map"]["shape"] == [1000, 1000]


def test_heat_maps_are_averaged_down() -> None:
    exhibit = Exhibits()
    exhibit.heatmap("attention", torch.ones(3, 200, 65), "keys", "queries")
    data = _only(exhibit)
    assert (len(data["values"]), len(data["values"][0])) == (64, 64)
    assert {cell for row in data["values"] for cell in row} == {1.0}
    assert (data["x_label"], data["y_label"], data["shape"]) == ("keys", "queries", [600, 65])


@pytest.mark.parametrize(
    ("matrix", "values"),
    [
        ([[1, 2], [3, 4]], [[1, 2], [3, 4]]),
        (torch.tensor([[math.nan, 1.0]]), [[None, 1]]),
        (torch.tensor(3), [[3]]),
        (torch.tensor([True, False]), [[1, 0]]),
        (torch.tensor([3 + 4j]), [[5]]),
        (torch.zeros(0, 3), []),
        ("no matrix", []),
        (None, []),
    ],
)
def test_small_heat_maps_are_shown_as_they_are(matrix: Any, values: Any) -> None:
    exhibit = Exhibits()
    exhibit.heatmap("small", matrix)
    assert _only(exhibit)["values"] == values


def test_curves_are_thinned_and_keep_their_ends() -> None:
    exhibit = Exhibits()
    series: dict[str, Any] = {"yours": torch.arange(10_000), "reference": [1.0, math.inf, math.nan, 2.0], "none": []}
    exhibit.curve("loss", series, x_label="epoch", y_label="loss")
    long, short, empty = _only(exhibit)["series"]
    assert (len(long["y"]), long["length"], long["x"][0], long["x"][-1]) == (500, 10_000, 0, 9999)
    assert long["y"][-1] == 9999
    assert short == {"name": "reference", "length": 4, "x": [0, 1, 2, 3], "y": [1, None, None, 2]}
    assert empty["y"] == []


def test_norms_stand_beside_what_they_should_be_in_its_order() -> None:
    exhibit = Exhibits()
    actual = {"extra": torch.ones(4), "bias": None, "weight": torch.tensor([3.0, 4.0]), "odd": "text"}
    exhibit.gradients("g", actual, {"weight": torch.tensor([0.6, 0.8]), "bias": torch.tensor([math.inf])})
    data = _only(exhibit)
    assert data["compared"]
    assert data["rows"] == [
        {"name": "weight", "actual": 5.0, "expected": 1.0},
        {"name": "bias", "actual": None, "expected": "not finite"},
        {"name": "extra", "actual": 2.0, "expected": None},
        {"name": "odd", "actual": "no tensor", "expected": None},
    ]


def test_norms_alone_are_bounded() -> None:
    exhibit = Exhibits()
    exhibit.gradients("g", {f"layers.{number}": torch.ones(1) for number in range(100)})
    data = _only(exhibit)
    assert (len(data["rows"]), data["left_out"], data["compared"]) == (64, 36, False)


def test_operators_are_counted_and_what_is_no_name_is_not_shown() -> None:
    exhibit = Exhibits()
    hostile = {"\ud800": 1, "<b>": 2, "a" * 101: 3, "": 4}
    exhibit.operators("o", {"aten::mul": 2, "torch.matmul": 7, "aten::add.Tensor": 2, **hostile})
    data = _only(exhibit)
    assert [(row["name"], row["count"]) for row in data["rows"]] == [
        ("torch.matmul", 7),
        ("aten::add.Tensor", 2),
        ("aten::mul", 2),
    ]
    assert data["left_out"] == 4


def test_the_number_of_exhibits_series_and_letters_is_bounded() -> None:
    exhibit = Exhibits()
    for _ in range(40):
        exhibit.curve("t" * 5000, {f"{i}" * 5000: [1.0] for i in range(40)}, "x" * 5000)
    assert len(exhibit.records) == 16
    assert len(exhibit.records[0]["data"]["series"]) == 8
    assert len(json.dumps(exhibit.records)) < 50_000
