"""Passes of a sampler that lives in the cell, with its generator."""

import itertools

import torch
from torch.utils.data import DataLoader


def made(solution, lengths, max_tokens: int, seed: int | None):
    """A sampler and its generator; without a seed it does not shuffle."""
    if seed is None:
        return solution.BucketBatchSampler(lengths, max_tokens), None
    generator = torch.Generator().manual_seed(seed)
    return solution.BucketBatchSampler(lengths, max_tokens, shuffle=True, generator=generator), generator


def passes(solution, lengths, max_tokens: int, count: int, seed: int | None = None, world: int = 0) -> dict:
    """Whole passes, one after the other. `world` seeds torch's global generator before them."""
    sampler, _ = made(solution, lengths, max_tokens, seed)
    torch.manual_seed(world)
    before = torch.get_rng_state()
    announced, batches = [], []
    for _ in range(count):
        announced.append(len(sampler))
        batches.append(list(sampler))
    return {"announced": announced, "batches": batches, "moved": not torch.equal(before, torch.get_rng_state())}


def with_questions(solution, lengths, max_tokens: int, seed: int) -> list:
    """Two samplers from one seed: the second is asked for its length again and again."""
    plain, _ = made(solution, lengths, max_tokens, seed)
    asked, _ = made(solution, lengths, max_tokens, seed)
    found = []
    for _ in range(2):
        first = list(plain)
        sizes = [len(asked) for _ in range(3)]
        found.append([first, list(asked), sizes])
    return found


def after_a_broken_pass(solution, lengths, max_tokens: int, seed: int | None) -> list:
    """A whole pass after one that was left at its first batch."""
    sampler, _ = made(solution, lengths, max_tokens, seed)
    next(iter(sampler))
    return list(sampler)


def two_at_once(solution, lengths, max_tokens: int, seed: int | None) -> list:
    """Two passes of one sampler, the second begun when the first has given one batch."""
    sampler, _ = made(solution, lengths, max_tokens, seed)
    first = iter(sampler)
    one, other = [next(first)], []
    for batch in sampler:
        other.append(batch)
        one += itertools.islice(first, 1) if len(one) < 3 else []
    return [one + list(first), other]


def in_a_loader(solution, lengths, max_tokens: int, count: int, seed: int | None) -> list:
    """What a DataLoader over the indices gives, and its length."""
    sampler, _ = made(solution, lengths, max_tokens, seed)
    loader = DataLoader(range(len(lengths)), batch_sampler=sampler, collate_fn=list)
    return [[len(loader), list(loader)] for _ in range(count)]


def lengths_after_a_pass(solution, lengths, max_tokens: int):
    """The lengths, after a sampler has used them."""
    list(solution.BucketBatchSampler(lengths, max_tokens))
    return lengths
