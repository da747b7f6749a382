"""Whole shares first; what is left over goes to the parts with the largest remainders."""

import torch


def sizes(count, fractions):
    exact = [round(count * fraction, 6) for fraction in fractions]
    found = [int(share) for share in exact]
    by_remainder = sorted(range(len(exact)), key=lambda k: found[k] - exact[k])
    for k in by_remainder[: count - sum(found)]:
        found[k] += 1
    return found


def stratified_split(labels, fractions, generator):
    total = sum(fractions)
    if any(f < 0 for f in fractions) or not 1 - 1e-6 <= total <= 1 + 1e-6:
        raise ValueError(f"the fractions add up to {total}")
    fractions = [f / total for f in fractions]
    order = torch.randperm(len(labels), generator=generator).tolist()
    groups = {}
    for i in order:
        groups.setdefault(int(labels[i]), []).append(i)
    parts = [[] for _ in fractions]
    for members in groups.values():
        for part, size in zip(parts, sizes(len(members), fractions)):
            part.extend(members.pop() for _ in range(size))
    return [sorted(part) for part in parts]
