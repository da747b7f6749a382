"""Each forward is replaced by one that takes notes, and put back."""

import functools

from torch import Tensor


def flat(tree, found):
    match tree:
        case Tensor():
            found.append(tree)
        case dict():
            for value in tree.values():
                flat(value, found)
        case list() | tuple():
            for value in tree:
                flat(value, found)
    return found


def trace_shapes(model, *inputs):
    rows, broken = [], []

    def watched(name, module, forward):
        @functools.wraps(forward)
        def run(*args, **kwargs):
            came = [tuple(t.shape) for t in flat([args, kwargs], [])]
            try:
                result = forward(*args, **kwargs)
            except Exception:
                broken.append((name, came, None, None))
                raise
            if len(list(module.children())) == 0:
                out = flat(result, [])
                rows.append((name, came, [tuple(t.shape) for t in out], [t.dtype for t in out]))
            return result

        return run

    modules = dict(model.named_modules())
    for name, module in modules.items():
        module.forward = watched(name, module, module.forward)
    try:
        model(*inputs)
    except Exception:
        return rows + broken[:1]
    finally:
        for module in modules.values():
            del module.forward
    return rows
