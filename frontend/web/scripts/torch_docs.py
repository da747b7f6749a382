"""Writes public/torch-docs.json, from which the editor completes and explains names of torch: for each public name its signature
and the first paragraph of its docstring, in the installed version of torch.

    python frontend/web/scripts/torch_docs.py

The texts are torch's own (BSD-3-Clause).
"""

import inspect
import json
import re
import warnings
from pathlib import Path
from typing import Any

import torch

OUT = Path(__file__).parents[1] / "public/torch-docs.json"
PLACES: dict[str, Any] = {
    "torch": torch,
    "torch.Tensor": torch.Tensor,
    "torch.nn": torch.nn,
    "torch.nn.Module": torch.nn.Module,
    "torch.nn.functional": torch.nn.functional,
    "torch.nn.init": torch.nn.init,
    "torch.nn.utils": torch.nn.utils,
    "torch.linalg": torch.linalg,
    "torch.optim": torch.optim,
    "torch.optim.lr_scheduler": torch.optim.lr_scheduler,
    "torch.autograd": torch.autograd,
    "torch.func": torch.func,
    "torch.utils.data": torch.utils.data,
}
MOST_CHARACTERS = 320
_SIGNATURE = re.compile(r"^\w[\w.]*\((?:[^()]|\([^()]*\))*\)(?:\s*->\s*.+)?$")
_ADDRESS = re.compile(r"<(?:function )?([\w.]+)(?: object)? at 0x[0-9a-f]+>")
_ROLE = re.compile(r":[\w:]+:`([^`]*)`", re.S)


def signature(name: str, value: Any, doc: str) -> str:
    """Return the signature of a function or class. Functions written in C have it in the first line of their docstring."""
    first = " ".join(doc.split("\n\n", maxsplit=1)[0].split()).rstrip(":")
    if _SIGNATURE.match(first):
        return first
    if not callable(value):
        return ""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    kept = [each for each in found.parameters.values() if each.name != "self"]
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in kept]
    text = name + str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return _ADDRESS.sub(r"\1", text)


def paragraph(doc: str) -> str:
    """Return the first paragraph of text of a docstring, without the markup of Sphinx."""
    for part in re.split(r"\n\s*\n", doc):
        text = " ".join(part.split())
        if not text or _SIGNATURE.match(text) or text.startswith((".. ", 'r"', "Args:", "Example", ">>>")):
            continue
        text = _ROLE.sub(lambda found: found[1].lstrip("~").rpartition(" <")[0] or found[1].lstrip("~"), text)
        text = text.replace("``", "").replace("`", "").replace("**", "").rstrip("_")
        return shortened(text)
    return ""


def shortened(text: str) -> str:
    """Cut a text after the last sentence that fits."""
    if len(text) <= MOST_CHARACTERS:
        return text
    end = text.rfind(". ", 0, MOST_CHARACTERS)
    return text[: end + 1] if end > 0 else text[: MOST_CHARACTERS - 1].rstrip() + "…"


def entries(place: str, where: Any) -> dict[str, list[str]]:
    """Return {name: [signature, paragraph]} of the public names of a module or class."""
    found = {}
    for name in sorted(dir(where)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some names are deprecated
            value = getattr(where, name, None)
        if (
            name.startswith("_")
            or _is_foreign(place, value)
            or (not inspect.getdoc(value) and name not in _listed(where))
        ):
            continue
        doc = (
            inspect.getdoc(value) or ""
            if callable(value) or isinstance(value, property) or where is torch.Tensor
            else ""
        )
        found[name] = [signature(name, value, doc)[:MOST_CHARACTERS], paragraph(doc)]
    return found


def _is_foreign(place: str, value: Any) -> bool:
    """Return whether torch has imported a value from elsewhere, such as `Optional`. What it says depends on the Python."""
    if inspect.ismodule(value):
        return not value.__name__.startswith(place)
    return str(getattr(value, "__module__", None) or "torch").partition(".")[0] not in ("torch", "builtins")


def _listed(where: Any) -> set[str]:
    """Return the public names that are kept although they have no docstring: attributes of tensors, data types and numbers,
    folders that are described here, and a few classes.
    """
    if where is torch.Tensor:
        return set(dir(where))
    constants = {name for name, value in vars(where).items() if isinstance(value, torch.dtype | float)}
    return constants | {place.rpartition(".")[2] for place in PLACES} | {"Generator", "Size"}


def main() -> str:
    """Return the text of the file."""
    version = torch.__version__.partition("+")[0]
    names = {place: entries(place, where) for place, where in PLACES.items()}
    return json.dumps({"version": version, "names": names}, ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    OUT.write_text(main(), encoding="utf-8")
