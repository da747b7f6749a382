"""A pre-hook says who was entered, a forward hook who was left; whoever is still inside when it breaks is to blame."""

from torch import Tensor, nn


def tensors(tree):
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, dict):
        yield from tensors(list(tree.values()))
    elif isinstance(tree, (list, tuple)):
        for item in tree:
            yield from tensors(item)


def shapes(tree) -> list[tuple[int, ...]]:
    return [tuple(t.shape) for t in tensors(tree)]


def trace_shapes(model: nn.Module, *inputs: Tensor) -> list[tuple]:
    names = {module: name for name, module in model.named_modules()}
    rows, inside = [], []

    def enter(module, args, kwargs):
        inside.append((names[module], shapes([args, kwargs])))

    def leave(module, args, output):
        name, came = inside.pop()
        if not list(module.children()):
            rows.append((name, came, shapes(output), [t.dtype for t in tensors(output)]))

    handles = []
    for module in names:
        handles.append(module.register_forward_pre_hook(enter, with_kwargs=True))
        handles.append(module.register_forward_hook(leave))
    try:
        model(*inputs)
    except Exception:
        rows.append((*inside[-1], None, None))
    finally:
        for handle in handles:
            handle.remove()
    return rows
