"""A class for hypotheses with an order of its own; the best candidates come from a heap."""

import heapq

import torch


class Hypothesis:
    def __init__(self, tokens=(), score=0.0):
        self.tokens = tokens
        self.score = score

    def extended(self, token, log_prob):
        return Hypothesis(self.tokens + (token,), self.score + log_prob)

    def key(self, alpha=0):
        return (-self.score / max(len(self.tokens), 1) ** alpha, self.tokens)


def beam_search(step, prompt, eos, beam_width, max_new_tokens, alpha=0.0):
    if beam_width <= 0:
        raise ValueError("beam_width")
    if max_new_tokens <= 0:
        raise ValueError("max_new_tokens")
    beam, done = [Hypothesis()], []
    length = 0
    while beam and length < max_new_tokens:
        length += 1
        prefixes = torch.empty(len(beam), len(prompt) + length - 1, dtype=torch.long)
        for i, h in enumerate(beam):
            prefixes[i] = torch.tensor(list(prompt) + list(h.tokens))
        table = step(prefixes)
        candidates = (
            h.extended(int(t), float(table[i, t]))
            for i, h in enumerate(beam)
            for t in (table[i] != float("-inf")).nonzero().flatten()
        )
        beam = []
        for h in heapq.nsmallest(beam_width, candidates, key=Hypothesis.key):
            (done if h.tokens[-1] == eos else beam).append(h)
    everything = sorted(done + beam, key=lambda h: h.key(alpha))
    return [(list(h.tokens), h.score / len(h.tokens) ** alpha) for h in everything[:beam_width]]
