"""A stand-in for a language model with a cache: what it says depends on every token in a slot, and on their order."""

import torch
from torch import Tensor

STATES = 997


class ToyModel:
    """`slots` sequences at a time. `held[s]` lists the tokens in slot s; `calls` lists what each call was given."""

    def __init__(self, slots: int, vocabulary: int = 11, seed: int = 0) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.scores = torch.randn(STATES, vocabulary, generator=generator, dtype=torch.float64)
        self.slots = slots
        self.held: list[list[int]] = [[] for _ in range(slots)]
        self.calls: list[list[tuple[int, list[int]]]] = []

    def __call__(self, slots: list[int], pieces: list[list[int]]) -> Tensor:
        """Append pieces[i], one or more tokens, to slots[i]. Returns scores (len(slots), vocabulary): row i is about the token
        that follows the last one in slots[i].
        """
        if len(slots) != len(pieces) or len(set(slots)) != len(slots) or not slots:
            raise RuntimeError("one piece for each slot, and each slot at most once")
        if not all(pieces) or not set(slots) <= set(range(self.slots)):
            raise RuntimeError("an empty piece, or a slot that does not exist")
        self.calls.append([(slot, list(piece)) for slot, piece in zip(slots, pieces, strict=True)])
        states = []
        for slot, piece in self.calls[-1]:
            self.held[slot] += piece
            state = 1
            for token in self.held[slot]:
                state = (31 * state + token + 7) % STATES
            states.append(state)
        return self.scores[states]

    def clear(self, slot: int) -> None:
        """Forget the tokens in a slot."""
        self.held[slot] = []
