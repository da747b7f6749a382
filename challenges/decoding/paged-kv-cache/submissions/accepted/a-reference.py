"""Counts what an append needs, takes it, and writes the piece in one indexing operation."""

import torch
from torch import Tensor


class PagedCache:
    def __init__(
        self, num_blocks: int, block_size: int, heads: int, dim: int, dtype: torch.dtype = torch.float32
    ) -> None:
        self.keys = torch.zeros(num_blocks, block_size, heads, dim, dtype=dtype)
        self.values = torch.zeros_like(self.keys)
        self.holders = [0] * num_blocks
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}
        self.begun = 0

    def begin(self, table: list[int], length: int) -> int:
        seq = self.begun
        self.begun += 1
        self.tables[seq], self.lengths[seq] = table, length
        return seq

    def new(self) -> int:
        return self.begin([], 0)

    def append(self, seq: int, k: Tensor, v: Tensor) -> None:
        table, start, size = self.tables[seq], self.lengths[seq], self.keys.shape[1]
        if len(k) == 0:
            return
        at = torch.arange(start, start + len(k))
        copied = start % size > 0 and self.holders[table[-1]] > 1
        needed = int(at[-1]) // size + 1 - len(table) + copied
        free = [block for block, count in enumerate(self.holders) if count == 0]
        if needed > len(free):
            raise RuntimeError("out of blocks")
        taken = free[:needed]
        for block in taken:
            self.holders[block] = 1
        if copied:
            old, table[-1] = table[-1], taken.pop(0)
            self.holders[old] -= 1
            self.keys[table[-1]] = self.keys[old]
            self.values[table[-1]] = self.values[old]
        table.extend(taken)
        blocks = torch.tensor(table)[at // size]
        self.keys[blocks, at % size] = k
        self.values[blocks, at % size] = v
        self.lengths[seq] = start + len(k)

    def fork(self, seq: int) -> int:
        for block in self.tables[seq]:
            self.holders[block] += 1
        return self.begin(list(self.tables[seq]), self.lengths[seq])

    def free(self, seq: int) -> None:
        for block in self.tables.pop(seq):
            self.holders[block] -= 1

    def gather(self, seq: int) -> tuple[Tensor, Tensor]:
        table = torch.tensor(self.tables[seq], dtype=torch.int64)
        k, v = (pool[table].flatten(0, 1)[: self.lengths[seq]] for pool in (self.keys, self.values))
        return k, v

    def table(self, seq: int) -> list[int]:
        return list(self.tables[seq])

    def counts(self) -> list[int]:
        return list(self.holders)
