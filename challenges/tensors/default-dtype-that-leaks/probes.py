"""Small programs that use your helpers, next to which the default dtype can be watched."""

from contextlib import contextmanager

import torch
from torch import Tensor


def nested(solution, start: torch.dtype, outer: torch.dtype, inner: torch.dtype) -> list[torch.dtype]:
    """The default dtype at five places: before, in the outer block, in the inner one, after that, after both."""
    with program(start):
        seen = [torch.get_default_dtype()]
        with solution.default_dtype(outer):
            seen.append(torch.zeros(1).dtype)
            with solution.default_dtype(inner):
                seen.append(torch.zeros(1).dtype)
            seen.append(torch.zeros(1).dtype)
        return [*seen, torch.zeros(1).dtype]


def inferred(solution, dt: torch.dtype) -> list[torch.dtype]:
    """The dtypes that torch infers inside a block."""
    with program(torch.float32):
        given = torch.ones(2, dtype=torch.float32), torch.ones(2, dtype=torch.int64)
        with solution.default_dtype(dt):
            whole, flags = torch.tensor([1, 2]), torch.tensor([True])
            made = [
                whole,
                flags,
                torch.arange(3),
                torch.tensor(1.5),
                whole / 2,
                whole * 1.5,
                given[0] + 1.5,
                given[1] + 1,
            ]
        return [one.dtype for one in made]


def interrupted(solution, start: torch.dtype, dt: torch.dtype, how: str) -> tuple[torch.dtype, str]:
    """The default dtype after a block that does not reach its last line, and the name of the exception that came out."""
    with program(start):
        try:
            left(solution, dt, how)
        except BaseException as error:  # the test compares its name
            return torch.get_default_dtype(), type(error).__name__
        return torch.get_default_dtype(), ""


def left(solution, dt: torch.dtype, how: str) -> None:
    for _ in range(2):
        with solution.default_dtype(dt):
            match how:
                case "return":
                    return
                case "break":
                    break
                case "KeyboardInterrupt":
                    raise KeyboardInterrupt
                case "KeyError":
                    raise KeyError("from the block")
                case "RuntimeError":
                    torch.ones(2) + torch.ones(3)


def made_earlier(solution, first: torch.dtype, second: torch.dtype, dt: torch.dtype) -> list[torch.dtype]:
    """The context manager is made under one default dtype and entered under another: after making, inside, after."""
    with program(first):
        block = solution.default_dtype(dt)
        seen = [torch.get_default_dtype()]
        torch.set_default_dtype(second)
        with block:
            seen.append(torch.get_default_dtype())
        return [*seen, torch.get_default_dtype()]


def refused(solution, start: torch.dtype, dt: torch.dtype) -> tuple[torch.dtype, str, bool]:
    """The default dtype after a block with a wrong dtype, the exception's name, and whether the block was run."""
    entered = False
    with program(start):
        try:
            with solution.default_dtype(dt):
                entered = True
        except Exception as error:  # the test compares its name
            return torch.get_default_dtype(), type(error).__name__, entered
        return torch.get_default_dtype(), "", entered


def refused_on_entering(solution, start: torch.dtype, dt: torch.dtype) -> tuple[torch.dtype, str]:
    """The context manager of a wrong dtype is made first and entered later: default dtype and exception of entering."""
    with program(start):
        block = solution.default_dtype(dt)
        try:
            with block:
                return torch.get_default_dtype(), "entered"
        except Exception as error:  # the test compares its name
            return torch.get_default_dtype(), type(error).__name__


def mean_in(solution, start: torch.dtype, values: list) -> tuple[Tensor | str, torch.dtype]:
    """mean_of in a program with another default dtype, or "ValueError"; and the default dtype afterwards."""
    with program(start):
        try:
            mean = solution.mean_of(values)
        except ValueError:
            mean = "ValueError"
        return mean, torch.get_default_dtype()


@contextmanager
def program(start: torch.dtype):
    """A program with its own default dtype."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(start)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
