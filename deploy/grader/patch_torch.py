"""Changes six files of torch 2.13 so that only code that compiles imports ``torch._dynamo`` and ``torch._inductor``. The build of
the image runs this script: ``patch_torch.py FOLDER_OF_TORCH``.

The first step of an optimizer, the first checkpoint, ``torch.func.grad``, dispatch mode and the switch to deterministic
algorithms each import them, only to tell a compiler that is not running what to do. These hundreds of modules take a third of
the processor time and of the memory of a cell that starts. `torch.compile` and `torch.func.linearize` import them as before,
and then nothing here differs from torch.

A file that does not contain the expected text, because it is of another version of torch, is left as it is, and named on
standard output. Cells work with it, but take longer to start.
"""

import sys
from pathlib import Path

LOADED = '"torch._dynamo" in sys.modules'
# For each file, pairs of a text and what replaces it.
CHANGES = {
    "__init__.py": (
        (
            "    import torch._inductor.config as inductor_config\n\n    inductor_config.deterministic = mode\n",
            '    if "torch._inductor.config" in sys.modules:\n'
            '        sys.modules["torch._inductor.config"].deterministic = mode\n',
        ),
    ),
    "_inductor/config.py": (
        (
            'deterministic = os.getenv("TORCHINDUCTOR_DETERMINISTIC") == "1"\n',
            'deterministic = os.getenv("TORCHINDUCTOR_DETERMINISTIC") == "1" or torch.are_deterministic_algorithms_enabled()\n',
        ),
    ),
    "_compile.py": (
        ("import functools\n", "import functools\nimport sys\n"),
        (
            "            disable_fn = getattr(fn, ",
            f"            if not ({LOADED}):\n                return fn(*args, **kwargs)\n            disable_fn = getattr(fn, ",
        ),
    ),
    "optim/optimizer.py": (
        ("        import torch._dynamo\n\n        self = cast(", "        self = cast("),
        (
            "            torch._dynamo.graph_break()\n",
            "            if torch.compiler.is_compiling():\n                torch._dynamo.graph_break()\n",
        ),
    ),
    "_functorch/eager_transforms.py": (
        ("import contextlib\n", "import contextlib\nimport sys\n"),
        (
            "    with torch._dynamo.compiled_autograd._disable():\n",
            f"    with torch._dynamo.compiled_autograd._disable() if {LOADED} else contextlib.nullcontext():\n",
        ),
    ),
    "utils/checkpoint.py": (
        ("import platform\n", "import platform\nimport sys\n"),
        ("        @torch._dynamo.disable\n", "        @torch._disable_dynamo\n"),
        (
            " = torch._dynamo.config.error_on_nested_fx_trace\n",
            f" = torch._dynamo.config.error_on_nested_fx_trace if {LOADED} else True\n",
        ),
    ),
}


def main() -> None:
    """Change the files of the torch in the folder that the first argument names."""
    for name, changes in CHANGES.items():
        path = Path(sys.argv[1], name)
        text = path.read_text(encoding="utf-8")
        if any(old not in text for old, _ in changes):
            print(f"{path} is not that of torch 2.13: it is left as it is, and imports torch._dynamo")
            continue
        for old, new in changes:
            text = text.replace(old, new)
        path.unlink()  # the file may be a link to the original
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
