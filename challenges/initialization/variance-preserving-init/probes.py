"""Runs your experiment on generators of its own, and looks at where they end up."""

import torch


def experiment(solution, depth: int, width: int, init: str, seed: int) -> dict:
    """The result, the generator's next number, and whether the global random state has moved."""
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed + 1)
    before = torch.get_rng_state()
    rms = solution.deep_relu_rms(depth, width, init, generator)
    untouched = bool(torch.equal(before, torch.get_rng_state()))
    return {"rms": rms, "next": torch.rand((), generator=generator).item(), "global_state_untouched": untouched}


def many_stds(solution, questions: list[tuple]) -> list:
    """The answers to ("xavier", fan_in, fan_out, gain) and ("he", fan, slope)."""
    functions = {"xavier": solution.xavier_std, "he": solution.he_std}
    return [functions[name](*numbers) for name, *numbers in questions]
