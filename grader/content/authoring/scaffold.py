"""Creates the files of new challenges and topics. They pass the schema but fail the gate, which lists what the author still has
to write.

Every line that the author must replace contains a pencil (✎). The gate finds those lines by this character.
"""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from grader.content.authoring.finding import Finding
from grader.content.package import SLUG
from grader.contract.errors import PackageError

PENCIL = "✎"
TEMPLATES = files("grader.content.authoring") / "templates"
WRITTEN_BY_HAND = (".toml", ".md", ".py")
MOST_NAMED = 40
UNDONE = "raise NotImplementedError"
STARTERS = {
    "function": 'def {name}({parameters}):\n    """✎ What it returns."""\n    raise NotImplementedError\n',
    "class": (
        'class {name}:\n    """✎ What it is."""\n\n'
        "    def __init__(self, {parameters}):\n        raise NotImplementedError\n"
    ),
    "module": (
        "from torch import nn\n\n\n"
        'class {name}(nn.Module):\n    """✎ What it computes."""\n\n'
        "    def __init__(self, {parameters}):\n        super().__init__()\n        raise NotImplementedError\n"
    ),
    "autograd_function": (
        "import torch\n\n\n"
        'class {name}(torch.autograd.Function):\n    """✎ What it computes."""\n\n'
        "    @staticmethod\n    def forward(ctx, {parameters}):\n        raise NotImplementedError\n\n"
        "    @staticmethod\n    def backward(ctx, grad_output):\n        raise NotImplementedError\n"
    ),
}


def new_challenge(root: Path, section: str, slug: str, *, kind: str, form: str) -> Path:
    """Write the folder of a new challenge. Raises `PackageError` if the name is not a valid slug or is already in use."""
    folder = _free(root, (section, slug), [path.parent for path in root.glob("*/*/challenge.toml")])
    words = {"section": section, "kind": kind, "form": form, "parameters": "x", "name": _entry_name(slug, kind)}
    words["starter"] = STARTERS[kind].format(**words)
    *_, before, last = words["starter"].splitlines()
    find = last if words["starter"].count(UNDONE) == 1 else f"{before}\n{last}"
    words |= {"find": find, "replace": find.replace(UNDONE, "return None")}
    _write("challenge", folder, words, {"accepted.py": "submissions/accepted/a-reference.py"})
    return folder


def new_topic(root: Path, section: str, name: str) -> Path:
    """Write the folder of a new topic. Raises `PackageError` if the name is not a valid slug or is already in use."""
    folder = _free(root / "topics", (section, name), [path.parent for path in root.glob("topics/*/*/topic.toml")])
    _write("topic", folder, {"section": section}, {})
    return folder


def unwritten_lines(folder: Path) -> Iterator[Finding]:
    """Yield a finding for each line that still contains the scaffold's pencil (✎). Stops after MOST_NAMED findings."""
    named = 0
    for path in sorted(path for path in folder.rglob("*") if path.suffix in WRITTEN_BY_HAND):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if PENCIL in line and named < MOST_NAMED:
                named += 1
                text = line.partition(PENCIL)[2].strip(" \"',.") or "your own words"
                yield Finding(f"{path.relative_to(folder).as_posix()}:{number}", f"to write: {text}")


def _free(root: Path, parts: tuple[str, str], taken: list[Path]) -> Path:
    for part in parts:
        if not SLUG.fullmatch(part):
            raise PackageError(f"{part!r} cannot be a name: lower-case words joined by '-', for example 'layer-norm'")
    folder = root.joinpath(*parts)
    same = [path for path in taken if path.name == folder.name]
    if same or folder.exists():
        raise PackageError(f"{(same or [folder])[0]} is there already: choose another name")
    return folder


def _entry_name(slug: str, kind: str) -> str:
    words = slug.split("-")
    name = "_".join(words) if kind == "function" else "".join(word.capitalize() for word in words)
    return name if name.isidentifier() else f"solve_{'_'.join(words)}"


def _write(template: str, folder: Path, words: dict[str, str], places: dict[str, str]) -> None:
    for source in sorted((TEMPLATES / template).iterdir(), key=lambda path: path.name):
        name = source.name.removesuffix(".txt")
        path = folder / places.get(name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        for word, meaning in words.items():
            text = text.replace("{" + word + "}", meaning)
        path.write_text(text, encoding="utf-8")
