"""Runs your functions on several ranks at once (threads) and brings back what each of them ended with."""

import threading
import traceback

import torch
from given import Group, Hub


def place_of(error: BaseException) -> str:
    """What the error says, and the last line of the answer that it came through."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "solution.py"]
    where = f" (line {lines[-1].lineno}: {(lines[-1].line or '').strip()[:80]})" if lines else ""
    try:
        return f": {str(error)[:120]}{where}"
    except Exception:  # the answer's own exception, which has no text
        return where


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Equal, with NaN where the other has NaN."""
    return torch.equal(a.nan_to_num(nan=-1e30), b.nan_to_num(nan=-1e30))


def on_ranks(size: int, program) -> list:
    """Call `program(group)` on every rank. Gives a dict for each."""
    hub = Hub(size)
    results: list = [{} for _ in range(size)]

    def rank_of(rank: int) -> None:
        group, found = Group(hub, rank), {"raised": "", "at": ""}
        with hub.changed:  # one rank at a time: another goes on when this one waits for it
            try:
                found |= program(group)
            except Exception as raised:
                found["raised"], found["at"] = type(raised).__name__, place_of(raised)
                found["root"] = not hub.broken
            finally:
                hub.leave(rank)
        found["calls"] = group.calls
        results[rank] = found

    threading.stack_size(16 << 20)
    threads = [threading.Thread(target=rank_of, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def gather(solution, shards: list, shapes: list) -> list:
    """`unshard` on every rank."""

    def program(group) -> dict:
        before = shards[group.rank].detach().clone()
        whole = solution.unshard(shards[group.rank], shapes, group)
        return {"whole": whole, "kept": torch.equal(before, shards[group.rank])}

    return on_ranks(len(shards), program)


def run(solution, xs: list, shards: list, widths: list, upstream: list, plan: dict) -> list:
    """Layers one after another, with tanh in between, and backward. `xs` and `upstream` have a tensor for each rank,
    `shards` a list.

    `plan["x"]`, `plan["shard"]`: do they require a gradient? `plan["record"]` false: everything under no_grad, and no backward.
    """
    record = plan.get("record", True)

    def program(group) -> dict:
        x = xs[group.rank].detach().requires_grad_(record and plan.get("x", True))
        mine = [s.detach().clone().requires_grad_(record and plan.get("shard", True)) for s in shards[group.rank]]
        before, copies, y, saved = x.detach().clone(), [s.detach().clone() for s in mine], x, {}

        def pack(tensor: torch.Tensor) -> torch.Tensor:
            saved[tensor.untyped_storage()._cdata] = tensor.untyped_storage().nbytes() // tensor.element_size()
            return tensor

        with torch.set_grad_enabled(record), torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            for place, (shard, width) in enumerate(zip(mine, widths, strict=True)):
                y = solution.sharded_linear(y.tanh() if place else y, shard, width, group)
                group.look()
        group.phase = "backward"
        out = y.detach().clone()
        if record:
            y.backward(upstream[group.rank])
            group.look()
        return {
            "y": out,
            "x.grad": None if x.grad is None else x.grad.clone(),
            "grads": [None if s.grad is None else s.grad.clone() for s in mine],
            "kept": torch.equal(before, x.detach()) and all(map(same, copies, (s.detach() for s in mine))),
            "alive": group.most_alive,
            "saved": sum(saved.values()),
        }

    return on_ranks(len(xs), program)


def train(solution, layers: list, batches: list, size: int, plan: dict) -> list:
    """Adam on the shards. `batches[step]` is a pair of x and target, whose rows are dealt to the ranks. Gives whole tensors."""

    def program(group) -> dict:
        shards = [solution.flat_shard(layer, group.rank, size).detach().clone().requires_grad_() for layer in layers]
        optimizer = torch.optim.Adam(shards, lr=plan["lr"], weight_decay=plan["decay"])
        for x, target in batches:
            y, target = x.chunk(size)[group.rank], target.chunk(size)[group.rank]
            for place, (shard, layer) in enumerate(zip(shards, layers, strict=True)):
                y = solution.sharded_linear(y.tanh() if place else y, shard, layer[1].numel(), group)
            optimizer.zero_grad()
            (y - target).square().mean().backward()
            optimizer.step()
        shapes = [[tuple(t.shape) for t in layer] for layer in layers]
        return {"whole": [solution.unshard(s.detach(), each, group) for s, each in zip(shards, shapes, strict=True)]}

    return on_ranks(size, program)


def own_memory(solution, tensors: list, rank: int, size: int) -> dict:
    """The bytes of a shard's storage, and the bytes that its elements need; and whether it shares memory with the tensors."""
    shard = solution.flat_shard(tensors, rank, size)
    storages = {t.untyped_storage().data_ptr() for t in tensors}
    return {
        "held": shard.untyped_storage().nbytes(),
        "needed": shard.numel() * shard.element_size(),
        "shared": shard.untyped_storage().data_ptr() in storages,
    }
