"""A cell's reply, read with suspicion, and what it says was done to the arguments."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from grader.inside import parameters
from grader.inside.givens import named_tensor
from grader.inside.remote_errors import BadReply
from grader.inside.requests import Request
from grader.inside.results import Metadata, unpack_result
from grader.inside.values import MAX_DEPTH, Decoder, Tree
from grader.wire import Frame, WireError

if TYPE_CHECKING:
    from grader.inside.session import Session

MAX_TENSORS = 20_000
Makers = dict[str, Callable[[list[Any], Request], Any]]
_BROKEN = (
    *(KeyError, TypeError, ValueError, IndexError, AttributeError, RuntimeError, OverflowError),
    *(MemoryError, RecursionError, AssertionError),
)


@contextmanager
def suspicion(session: "Session | None" = None) -> Iterator[None]:
    """Whatever goes wrong while a reply is taken apart is the reply's fault: BadReply. The session counts them."""
    try:
        yield
    except (WireError, *_BROKEN) as broken:
        if session is not None:
            session.bad_replies += 1
        said = str(broken) if isinstance(broken, WireError) else f"a malformed reply ({type(broken).__name__})"
        raise BadReply(said) from None


def metadata(tensor: torch.Tensor) -> Metadata:
    """Device and graph as the cell reported them for a result. Raises AttributeError for other tensors."""
    found: Metadata = tensor._gradus_metadata  # type: ignore[attr-defined]
    return found


@dataclass
class Reply:
    """A reply's tree, its table of tensors (the graph is attached to them later), and a decoder for values in it."""

    tree: dict[str, Any]
    request: Request
    decoder: Decoder
    tensors: list[torch.Tensor] = field(default_factory=list)
    about: list[Metadata] = field(default_factory=list)

    def tensor(self, tree: Tree) -> torch.Tensor | None:
        """A tensor that a row of the reply refers to."""
        return None if tree is None else self.tensors[_index(tree[1], self.tensors)]


def read(frame: Frame, request: Request, makers: Makers) -> Reply:
    """The reply in a frame. Raises WireError and others: use it under `suspicion`."""
    tree = frame.json()

    def special(tag: str, rest: list[Any]) -> Any:
        tables = {"A": request.shipment.tensors, "S": reply.tensors, "C": request.containers, "G": request.givens}
        if tag in tables:
            return tables[tag][_index(rest[0], tables[tag])]
        if tag == "P":
            return request.parameter(rest[0], rest[1])
        return makers[tag](rest, request) if tag in makers else NotImplemented

    reply = Reply(tree, request, Decoder(frame.blob, special))
    if request.writable:
        _write_back(reply)
    rows = tree.get("tensors", [])
    if len(rows) > MAX_TENSORS:
        raise WireError("more tensors than any call returns")
    for row in rows:
        tensor, about = unpack_result(row, reply.decoder.blob, request.shipment.tensors)
        reply.decoder.charge(0 if tensor.is_meta else tensor.numel() * tensor.element_size())
        reply.tensors.append(tensor)
        reply.about.append(about)
    return reply


def _index(index: Any, table: list[Any]) -> int:
    if type(index) is not int or not 0 <= index < len(table):
        raise WireError("an index out of range")
    return index


def _write_back(reply: Reply) -> None:
    """Bring the memory of arguments to the state that the answer left it in."""
    shipment = reply.request.shipment
    with torch.no_grad():
        for place, offset, size in reply.tree.get("changed", []):
            storage = shipment.storages[_index(place, shipment.storages)]
            storage.copy_(torch.frombuffer(_sized(reply, offset, size, storage.numel()), dtype=torch.uint8))
        # Apart from the bytes: `x.data` is written to without a new version, `x.mul_(1)` has a new version and the old bytes.
        bumped = [shipment.tensors[_index(index, shipment.tensors)] for index in reply.tree.get("bumped", [])]
        torch.autograd.graph.increment_version([t for t in bumped if not t.is_inference()])
        for index, offset, size in reply.tree.get("touched", []):
            tensor = shipment.tensors[_index(index, shipment.tensors)]
            raw = _sized(reply, offset, size, tensor.numel() * tensor.element_size())
            tensor.copy_(torch.frombuffer(raw, dtype=torch.uint8).clone().view(tensor.dtype).reshape(tensor.shape))


def _sized(reply: Reply, offset: int, size: int, expected: int) -> memoryview:
    if size != expected or not size:
        raise WireError("a changed argument of another size")
    return reply.decoder.bytes_at(offset, size)


def write_arguments(reply: Reply) -> None:
    """Gradients, generators, containers and givens with a state, once the tensors of the reply have their graph."""
    request, tree, decoder = reply.request, reply.tree, reply.decoder
    arguments = request.shipment.tensors
    for generator, place in zip(request.generators, tree.get("generators", []), strict=False):
        generator.set_state(torch.frombuffer(bytearray(decoder.bytes_at(*place)), dtype=torch.uint8))
    if not request.writable:
        return
    for index, value in tree.get("replaced", []):
        _replace(arguments[_index(index, arguments)], reply.tensor(value))
    for index, grad in tree.get("grads", []):
        arguments[_index(index, arguments)].grad = reply.tensor(grad)
    _refill(
        request.containers,
        {index: [decoder.decode(item) for item in items] for index, items in tree.get("containers", [])},
    )
    for index, state in tree.get("states", []):
        request.givens[_index(index, request.givens)].load_state_dict(decoder.decode(state))


def write_leaves(reply: Reply) -> None:
    """What the graph may hang on, before it is attached: requires_grad of arguments, parameters of given modules."""
    request = reply.request
    arguments = request.shipment.tensors
    if not request.writable:
        return
    for index, flag in reply.tree.get("flags", []):
        arguments[_index(index, arguments)].requires_grad_(bool(flag))
    for owner, training, rows in reply.tree.get("givens", []):
        module = request.givens[_index(-1 - owner, request.givens)]
        module.train(bool(training))
        for name, found in rows:
            parameters.apply(named_tensor(module, name), changes(reply, found))


def was_changed(reply: Reply) -> bool:
    """Whether the answer wrote to an argument: memory, graph, .grad, requires_grad, items of a list or dict, parameters.

    Buffers of a given module may move, as they do in any forward pass.
    """
    effects = ("changed", "touched", "rewritten", "replaced", "flags", "grads", "containers")
    return any(reply.tree.get(what) for what in effects) or any(
        _moved(reply.request.givens[_index(-1 - owner, reply.request.givens)], training, rows)
        for owner, training, rows in reply.tree.get("givens", [])
    )


def _moved(module: torch.nn.Module, training: bool, rows: list[Any]) -> bool:
    names = dict(module.named_parameters())
    return training is not module.training or any(name in names for name, _ in rows)


def changes(reply: Reply, found: Any) -> parameters.Changes:
    """A row of changes with its tensors. Raises WireError."""
    if not isinstance(found, dict):
        raise WireError("a malformed row")
    known = [key for key in ("v", "q", "r", "g", "n") if key in found]
    return {key: reply.tensor(found[key]) if key in parameters.TENSORS else bool(found[key]) for key in known}


def _replace(argument: torch.Tensor, value: torch.Tensor | None) -> None:
    if value is None or argument.is_inference():
        raise WireError("an argument that cannot be replaced")
    argument.data = value


def _refill(containers: list[Any], contents: dict[int, list[Any]]) -> None:
    """Give lists and dicts their new contents: all of them, or none. Raises WireError for what contains itself."""
    chosen = [(containers[_index(index, containers)], items) for index, items in contents.items()]
    inner, heights = {id(container): items for container, items in chosen}, dict[int, int]()
    for container, _ in chosen:
        _height(container, inner, heights)
    made = [items if isinstance(of, list) else dict(zip(items[::2], items[1::2], strict=True)) for of, items in chosen]
    for (container, _), now in zip(chosen, made, strict=True):
        container.clear()
        container.extend(now) if isinstance(container, list) else container.update(now)


def _parts(value: list[Any] | tuple[Any, ...] | dict[Any, Any] | slice) -> Iterable[Any]:
    """What a value holds; the ends and the step of a slice may be anything, a list that holds it too."""
    if isinstance(value, slice):
        return (value.start, value.stop, value.step)
    return [*value.keys(), *value.values()] if isinstance(value, dict) else value


def _height(value: Any, contents: dict[int, list[Any]], known: dict[int, int]) -> int:
    """How deeply a value is nested once all contents are as they will be."""
    if not isinstance(value, list | tuple | dict | slice):
        return 0
    if id(value) not in known:
        known[id(value)] = MAX_DEPTH  # until it is known: whoever comes back here is in a circle
        inner = contents.get(id(value), _parts(value))
        known[id(value)] = 1 + max((_height(item, contents, known) for item in inner), default=0)
    if known[id(value)] > MAX_DEPTH:
        raise WireError("a list or dict that contains itself, or is nested too deeply")
    return known[id(value)]
