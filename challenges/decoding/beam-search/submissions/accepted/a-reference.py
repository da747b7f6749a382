"""Reference: lists of (tokens, score), one sort by score and tokens in each step, one sort by value at the end."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

Hypothesis = tuple[list[int], float]


def best(hypotheses: list[Hypothesis], count: int) -> list[Hypothesis]:
    return sorted(hypotheses, key=lambda h: (-h[1], h[0]))[:count]


def beam_search(
    step: Callable[[Tensor], Tensor],
    prompt: list[int],
    eos: int,
    beam_width: int,
    max_new_tokens: int,
    alpha: float = 0.0,
) -> list[Hypothesis]:
    if beam_width < 1 or max_new_tokens < 1:
        raise ValueError("beam_width and max_new_tokens must be at least 1")
    running: list[Hypothesis] = [([], 0.0)]
    finished: list[Hypothesis] = []
    for _ in range(max_new_tokens):
        rows = step(torch.tensor([prompt + tokens for tokens, _ in running])).tolist()
        candidates = []
        for (tokens, score), row in zip(running, rows):
            for token, log_prob in enumerate(row):
                if log_prob > -math.inf:
                    candidates.append((tokens + [token], score + log_prob))
        kept = best(candidates, beam_width)
        finished += [h for h in kept if h[0][-1] == eos]
        running = [h for h in kept if h[0][-1] != eos]
        if not running:
            break
    valued = [(tokens, score / len(tokens) ** alpha) for tokens, score in finished + running]
    return best(valued, beam_width)
