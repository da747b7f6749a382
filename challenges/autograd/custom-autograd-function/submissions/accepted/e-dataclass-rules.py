"""One derivative rule for each input, kept in a table; only the asked ones are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor


@dataclass
class Point:
    x: Tensor
    beta: Tensor

    @cached_property
    def gate(self) -> Tensor:
        return torch.sigmoid(self.beta * self.x)

    @cached_property
    def slope(self) -> Tensor:
        return self.gate - self.gate * self.gate


@dataclass(frozen=True)
class Rule:
    input: str
    derivative: Callable[[Point], Tensor] = field(repr=False)


RULES = (
    Rule("x", lambda at: at.gate + at.beta * at.x * at.slope),
    Rule("beta", lambda at: at.x * at.x * at.slope),
)


def gradients(at: Point, g: Tensor, asked: tuple[bool, ...]) -> Iterator[Tensor | None]:
    for rule, needed in zip(RULES, asked, strict=True):
        yield (g * rule.derivative(at)).sum_to_size(getattr(at, rule.input).shape) if needed else None


class Swish(torch.autograd.Function):
    generate_vmap_rule = False

    @staticmethod
    def forward(ctx, x, beta):
        point = Point(x, beta)
        ctx.save_for_backward(point.x, point.beta)
        return x * point.gate

    @staticmethod
    def backward(ctx, g):
        return tuple(gradients(Point(*ctx.saved_tensors), g, ctx.needs_input_grad))


def swish(x: Tensor, beta: Tensor | float) -> Tensor:
    match beta:
        case Tensor():
            return Swish.apply(x, beta)
        case _:
            return Swish.apply(x, torch.tensor(float(beta), dtype=x.dtype, device=x.device))
