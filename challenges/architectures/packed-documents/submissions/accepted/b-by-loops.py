"""Everything place by place."""

import torch


def pack(documents, length):
    ids, numbers, used, counts = [], [], [], []
    for document in documents:
        n = document.numel()
        if n == 0 or n > length:
            raise ValueError("a document must have 1 to length tokens")
        for i in range(len(ids) + 1):
            if i == len(ids):
                ids.append([0] * length)
                numbers.append([0] * length)
                used.append(0)
                counts.append(0)
            if used[i] + n <= length:
                counts[i] += 1
                for token in document.tolist():
                    ids[i][used[i]] = token
                    numbers[i][used[i]] = counts[i]
                    used[i] += 1
                break
    shape = (len(ids), length)
    return torch.tensor(ids, dtype=torch.int64).view(shape), torch.tensor(numbers, dtype=torch.int64).view(shape)


def attention_mask(numbers):
    B, L = numbers.shape
    mask = torch.zeros(B, L, L, dtype=torch.bool)
    for b, row in enumerate(numbers.tolist()):
        for t in range(L):
            for s in range(t + 1):
                mask[b, t, s] = s == t or (row[s] == row[t] and row[t] > 0)
    return mask


def positions(numbers):
    out = torch.zeros_like(numbers)
    for b, row in enumerate(numbers.tolist()):
        for t in range(1, len(row)):
            if row[t] and row[t] == row[t - 1]:
                out[b, t] = out[b, t - 1] + 1
    return out


def targets(ids, numbers):
    out = torch.full(ids.shape, -100, dtype=torch.int64)
    for b in range(ids.shape[0]):
        for t in range(ids.shape[1] - 1):
            if numbers[b, t] > 0 and numbers[b, t + 1] == numbers[b, t]:
                out[b, t] = ids[b, t + 1]
    return out
