"""Checks the codec of values: all come back unchanged, and a hostile tree raises WireError and has no other effect."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.contract.wire import WireError
from grader.inside.serialization.results import MAX_SPREAD, pack_result, raw_bytes, unpack_result, with_strides
from grader.inside.serialization.tensors import SentTensors, unpack_storages
from grader.inside.serialization.values import DTYPES, MAX_DEPTH, Blobs, Decoder, Encoder, Unsupported

FAST = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)

texts = st.text(st.characters(exclude_categories=()), max_size=8)
keys = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts | st.binary(max_size=8)
leaves = (
    keys
    | st.complex_numbers(allow_nan=False)
    | st.sampled_from([*DTYPES.values(), torch.device("cpu"), torch.device("cuda:1"), torch.Size([2, 0]), ...])
    | st.slices(9)
    | st.integers(-(2**4095), 2**4095)
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(keys, inner, max_size=4)
        | st.sets(keys, max_size=4)
    ),
    max_leaves=12,
)
trees: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(st.sampled_from("l t s d b c dt dev sz sl el R x".split()), st.lists(inner, max_size=4)).map(
            lambda pair: [pair[0], *pair[1]]
        )
        | st.dictionaries(texts, inner, max_size=2)
    ),
    max_leaves=12,
)


def sent(value: Any) -> tuple[Any, bytes]:
    """Encode a value. Return the encoded tree as the other side reads it, and the blob, which holds the bytes of tensors."""
    encoder = Encoder()
    tree = json.loads(json.dumps(encoder.encode(value)))
    return tree, b"".join(bytes(part) for part in encoder.blobs.parts)


def types(value: Any) -> Any:
    """Return the type of a value and, for dicts, lists and tuples, the types of everything in it."""
    if isinstance(value, dict):
        return dict, [(types(k), types(v)) for k, v in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [types(item) for item in value]
    return type(value)


@FAST
@given(values)
def test_values_come_back(value: Any) -> None:
    tree, blob = sent(value)
    back = Decoder(blob).decode(tree)
    assert back == value
    assert types(back) == types(value)


@FAST
@given(trees, st.binary(max_size=64))
def test_a_hostile_tree_is_decoded_or_refused(tree: Any, blob: bytes) -> None:
    try:
        Decoder(blob).decode(json.loads(json.dumps(tree)))
    except WireError:
        return


@pytest.mark.parametrize(
    "tree",
    [
        [],
        [1],
        [None],
        [["l"]],
        {"a": 1},
        ["nothing"],
        ["d", 1],
        ["d", [1]],
        ["d", [["l"], 1]],
        ["s", ["l"]],
        ["b"],
        ["b", 0, 9],
        ["b", -1, 1],
        ["b", 0, -1],
        ["b", True, 1],
        ["b", 0.0, 1],
        ["c", "a", 1],
        ["c", 1, 2, 3],
        ["dt", "float31"],
        ["dt", []],
        ["dev", "abacus"],
        ["dev", 7.5],
        ["sz", "a"],
        ["sz", 2**70],
        ["sl"],
        ["sl", 1, 2, 3, 4],
        2**5000,
        ["l", *[2**5000]],
    ],
    ids=lambda tree: str(tree)[:20],
)
def test_malformed_trees_are_refused(tree: Any) -> None:
    with pytest.raises(WireError):
        Decoder(b"12345678").decode(tree)


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def test_nesting_has_a_limit_on_both_sides() -> None:
    assert Decoder(b"").decode(sent(nested(MAX_DEPTH))[0]) == nested(MAX_DEPTH)
    with pytest.raises(Unsupported, match="deep"):
        Encoder().encode(nested(MAX_DEPTH + 1))
    with pytest.raises(WireError, match="deep"):
        Decoder(b"").decode(["l", *[sent(nested(MAX_DEPTH))[0]]])


def test_parts_have_a_limit_on_both_sides() -> None:
    with pytest.raises(Unsupported, match="parts"):
        Encoder().encode([0] * 1_000_001)
    with pytest.raises(WireError, match="parts"):
        Decoder(b"").decode(["l", *[0] * 1_000_001])


def test_a_value_that_holds_itself_is_refused() -> None:
    items: list[Any] = []
    items.append(items)
    with pytest.raises(Unsupported, match="deep"):
        Encoder().encode(items)


@pytest.mark.parametrize("name", ["int", "float", "str", "list", "tuple", "dict"])
def test_subclasses_are_refused_by_name(name: str) -> None:
    base = {"int": int, "float": float, "str": str, "list": list, "tuple": tuple, "dict": dict}[name]
    with pytest.raises(Unsupported, match=f"a subclass of {name}"):
        Encoder().encode(type("Mine", (base,), {})())


# ------------------------------------------------------------------------------------------------ tensors


@st.composite
def tensors(draw: st.DrawFn) -> torch.Tensor:
    """Draw tensors of every dtype. They can be sliced, transposed, expanded, empty or 0-d."""
    dtype = draw(st.sampled_from(list(DTYPES.values())))
    shape = draw(st.lists(st.integers(0, 4), max_size=3))
    seed = draw(st.integers(0, 100))
    raw = torch.randint(0, 256, (math.prod(shape) * dtype.itemsize,), generator=torch.Generator().manual_seed(seed))
    tensor = (raw.to(torch.uint8) % 2 if dtype is torch.bool else raw.to(torch.uint8)).view(dtype).reshape(shape)
    for change in draw(st.lists(st.sampled_from(["transpose", "slice", "expand"]), max_size=2)):
        if change == "transpose" and tensor.dim() > 1:
            tensor = tensor.transpose(0, 1)
        elif change == "slice" and tensor.dim() and tensor.shape[0]:
            tensor = tensor[draw(st.integers(0, tensor.shape[0] - 1)) :: 2]
        elif change == "expand":
            tensor = tensor.unsqueeze(0).expand(2, *tensor.shape)
    return tensor


def bits(tensor: torch.Tensor) -> bytes:
    return bytes(raw_bytes(tensor))


@FAST
@given(tensors())
def test_results_come_back_bit_for_bit(tensor: torch.Tensor) -> None:
    blobs = Blobs()
    tree = json.loads(json.dumps(pack_result(tensor, blobs)))
    blob = bytearray(b"".join(bytes(part) for part in blobs.parts))
    back, about = unpack_result(tree, memoryview(blob), [])
    assert (back.shape, back.dtype, bits(back)) == (tensor.shape, tensor.dtype, bits(tensor))
    assert (about.device, about.grad) == ("cpu", 0)


@FAST
@given(tensors())
def test_arguments_arrive_as_they_are(tensor: torch.Tensor) -> None:
    blobs = Blobs()
    shipment = SentTensors(blobs)
    tree = json.loads(json.dumps(shipment.add(tensor)))
    table = json.loads(json.dumps(shipment.pack()))
    blob = bytearray(b"".join(bytes(part) for part in blobs.parts))
    arrival = unpack_storages(blob, table, torch.device("cpu"))
    arrived = arrival.add(tree[1:])
    assert (arrived.shape, arrived.stride(), arrived.dtype) == (tensor.shape, tensor.stride(), tensor.dtype)
    assert bits(arrived) == bits(tensor)
    assert arrival.changed() == []


@FAST
@given(tensors().filter(lambda t: 0 not in t.shape))
def test_strides_of_a_result_are_rebuilt(tensor: torch.Tensor) -> None:
    rebuilt = with_strides(tensor.contiguous(), list(tensor.stride()))
    assert bits(rebuilt) == bits(tensor)
    if tensor.is_contiguous() or tensor.untyped_storage().nbytes() <= MAX_SPREAD * tensor.numel():
        same = [a == b for a, b, size in zip(rebuilt.stride(), tensor.stride(), tensor.shape, strict=True) if size > 1]
        assert all(same)


def test_absurd_strides_cost_nothing() -> None:
    tensor = torch.arange(4.0)
    for stride in ([1 << 40], [-1], [0, 0][:1]):
        rebuilt = with_strides(tensor, stride)
        assert rebuilt.untyped_storage().nbytes() <= 16


def good_row() -> list[Any]:
    return ["R", "float32", [2, 2], [2, 1], "cpu", 0, 0, 16, None]


def hostile_rows() -> Iterator[tuple[str, Any]]:
    for place, bad in (
        *((0, "T"), (1, "float31"), (1, []), (1, None), (2, 4), (2, [-1, 2]), (2, [2, True]), (2, [1 << 50, 2])),
        *((2, [2] * 65), (2, [2, 3]), (2, ["2", 2]), (3, [2]), (3, None), (3, [2.0, 1]), (5, None), (5, 4), (5, True)),
        *((6, -1), (6, 8), (6, "0"), (7, 15), (7, -16), (7, 17), (7, "16")),
    ):
        row = good_row()
        row[place] = bad
        yield f"{place}-{str(bad)[:12]}", row
    yield "short", good_row()[:-1]
    yield "long", [*good_row(), 1]
    yield "nothing", None
    yield "meta", ["R", "float32", [1 << 20] * 4, [1] * 4, "meta", 0, 0, 0, None]


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in hostile_rows()])
def test_malformed_results_are_refused(row: Any) -> None:
    with pytest.raises(WireError):
        unpack_result(row, memoryview(bytearray(20)), [])


@pytest.mark.parametrize("alias", [7, [], [0], [0, -1], [0, 3], [5, 0], ["a", 0], [0, 1 << 60], [0, 0, 0], {"a": 1}])
def test_a_forged_alias_shares_nothing(alias: Any) -> None:
    argument = torch.zeros(4)
    row = [*good_row()[:-1], alias]
    result, _ = unpack_result(row, memoryview(bytearray(b"\0\0\x80\x3f" * 4)), [argument])
    result.fill_(5)
    assert argument.tolist() == [0, 0, 0, 0]


def test_a_true_alias_shares_memory() -> None:
    argument = torch.arange(6.0).reshape(2, 3)
    blobs = Blobs()
    row = pack_result(argument.t()[1:], blobs, alias=[0, 1])
    result, _ = unpack_result(row, memoryview(bytearray(bytes(blobs.parts[0]))), [argument])
    result[0, 0] = 9
    assert argument[0, 1] == 9


def test_bytes_of_a_bool_are_normalised() -> None:
    result, _ = unpack_result(["R", "bool", [2], [1], "cpu", 0, 0, 2, None], memoryview(bytearray(b"\x02\x00")), [])
    assert bits(result) == b"\x01\x00"


@pytest.mark.parametrize("tree", [["l", *[["b", 0, 20]] * 2], ["l", ["b", 0, 15], ["b", 5, 15]]])
def test_slices_that_overlap_are_refused(tree: Any) -> None:
    with pytest.raises(WireError, match="more bytes than were sent"):
        Decoder(bytes(20)).decode(tree)


@pytest.mark.parametrize(
    "tree",
    [
        ["s", *(n * (2**61 - 1) for n in range(1, 100))],
        ["d", *([["c", float(2**52 - 1000003 * n), float(n)], 0] for n in range(100))],
        ["s", *(["t", *(-1 - (n >> bit & 1) for bit in range(7))] for n in range(128))],
    ],
    ids=["integers", "complex", "tuples"],
)
def test_keys_that_were_chosen_to_collide_are_refused(tree: Any) -> None:
    with pytest.raises(WireError, match="the same hash"):
        Decoder(b"").decode(tree)


def test_many_honest_keys_are_accepted() -> None:
    value = {key: n for n in range(2000) for key in ((n, -n), n / 7, complex(n, n))}
    tree, blob = sent(value)
    assert Decoder(blob).decode(tree) == value
