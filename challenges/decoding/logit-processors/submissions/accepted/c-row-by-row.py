"""Loops over rows with Python lists and a Counter, only the arithmetic in tensors."""

import math
from collections import Counter

import torch


def walk(text, table):
    state = 0
    for token in text:
        state = int(table[state][token])
        if state == -1:
            raise ValueError(f"token {token} is forbidden")
    return state


def texts(tokens):
    return [[t for t in row if t != -1] for row in tokens.tolist()]


def allowed_tokens(tokens, table):
    rows = table.tolist()
    answer = torch.zeros(tokens.shape[0], table.shape[1], dtype=torch.bool)
    for b, text in enumerate(texts(tokens)):
        answer[b] = torch.tensor([following != -1 for following in rows[walk(text, rows)]])
    return answer


def process_logits(
    logits, tokens, table=None, repetition_penalty=1.0, frequency_penalty=0.0, temperature=1.0, min_p=0.0
):
    for value in (repetition_penalty, temperature):
        if value <= 0:
            raise ValueError("must be positive")
    if min_p > 1 or min_p < 0:
        raise ValueError("min_p")
    allowed = torch.ones_like(logits, dtype=torch.bool) if table is None else allowed_tokens(tokens, table)
    out = []
    for row, ok, text in zip(logits, allowed, texts(tokens)):
        scores = list(row.masked_fill(~ok, -math.inf).unbind())
        for token, n in Counter(text).items():
            s = scores[token]
            s = s / repetition_penalty if s > 0 else s * repetition_penalty
            scores[token] = s - frequency_penalty * n
        new = torch.stack(scores) / temperature
        log_p = new.detach().log_softmax(0)
        if min_p > 0:
            new = new.masked_fill(log_p - log_p.max() < math.log(min_p), -math.inf)
        out.append(new)
    return torch.stack(out)
