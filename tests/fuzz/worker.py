"""Runs one fuzzer process. libFuzzer (through atheris) drives one target, guided by the coverage of the grader's Python code.

`python -m tests.fuzz` starts it. Inputs that cause a crash are written to files, and the latest figures to a JSON file.
"""

import json
import sys
import time
from pathlib import Path
from random import Random

import atheris
import torch

with atheris.instrument_imports(include=["grader"]):
    from tests.fuzz import targets

from tests.fuzz.mutate import Frames, frames_of, mutate
from tests.fuzz.seeds import conversations

REPORT_EVERY_S = 2.0
OWN_SHARE = 0.9


class Progress:
    """Runs the target on each input and counts the inputs. The figures are stored every few seconds, because libFuzzer ends the
    process without returning to Python.
    """

    def __init__(self, target: str, out: Path) -> None:
        self._run = targets.TARGETS[target]
        self._out = out
        self._inputs = 0
        self._started = time.monotonic()
        self._told = 0.0

    def __call__(self, data: bytes) -> None:
        self._inputs += 1
        try:
            self._run(data)
        finally:
            now = time.monotonic()
            if now - self._told > REPORT_EVERY_S:
                self._told = now
                self.tell()

    def tell(self) -> None:
        """Write the numbers of inputs and frames so far, and the seconds, to the JSON file of figures."""
        seconds = time.monotonic() - self._started
        self._out.write_text(json.dumps({"inputs": self._inputs, "frames": targets.COUNT[0], "seconds": seconds}))


def main() -> None:
    """Run the fuzzer. Usage: `worker TARGET FIGURES libFuzzer's arguments…`"""
    target, figures = sys.argv[1], Path(sys.argv[2])
    pool: Frames = [frame for data in conversations() for frame in frames_of(data[1:])]

    def mutated(data: bytes, largest: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < OWN_SHARE:
            return mutate(data, rng, pool)[:largest]
        return bytes(atheris.Mutate(data, len(data)))

    # The first calculation with a meta tensor imports 800 modules of torch, once per process. This takes 1.5 s, which must not
    # count as the time of an input.
    torch.zeros(1, device="meta") + 1
    atheris.Setup([sys.argv[0], *sys.argv[3:]], Progress(target, figures), custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
