"""`python -m challenges.pictures [--check]`: draws all pictures of topics and editorials, or says which is not as drawn."""

import sys
from pathlib import Path

from challenges.pictures import (
    architectures,
    initialization,
    layers,
    losses,
    numbers,
    optimization,
    performance,
    regularization,
    tensors,
)
from challenges.pictures.editorials import (
    alignment,
    classical,
    decoding,
    functions_and_blocks,
    generative,
    inference,
    inputs,
    parallelism,
    sequences,
    serving,
    speed,
    todays_layers,
    training,
    whole_tensors,
)
from challenges.pictures.style import Draw, alike, svg

HERE = Path(__file__).resolve().parents[1]
TOPICS = (tensors, layers, initialization, losses, optimization, regularization, architectures, numbers, performance)
EDITORIALS = (
    sequences,
    training,
    inference,
    inputs,
    alignment,
    decoding,
    serving,
    todays_layers,
    parallelism,
    generative,
    classical,
    whole_tensors,
    functions_and_blocks,
    speed,
)


def pictures() -> dict[Path, Draw]:
    """Where each picture belongs, and the function that draws it. The names are «section/topic or challenge/picture»."""
    found = {}
    for place, modules in ((HERE / "topics", TOPICS), (HERE, EDITORIALS)):
        for name, draw in (item for module in modules for item in module.PICTURES.items()):
            section, folder, picture = name.split("/")
            found[place / section / folder / "pictures" / f"{picture}.svg"] = draw
    return found


def main(check: bool) -> int:
    """Draw all, or with `check` compare all with what lies in place; the number of differences."""
    stale = 0
    for path, draw in pictures().items():
        text = svg(draw)
        if path.is_file() and alike(path.read_text(), text):
            continue
        stale += 1
        print(f"{'differs' if check else 'drawn'}: {path.relative_to(HERE)}")
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    return stale if check else 0


if __name__ == "__main__":
    sys.exit(min(main("--check" in sys.argv[1:]), 1))
