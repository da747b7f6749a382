"""Counts are a tensor, tables are tuples that are replaced as a whole, and tokens are addressed by flat slots of the pool."""

import itertools

import torch


class PagedCache:
    def __init__(self, num_blocks, block_size, heads, dim, dtype=torch.float32):
        self.keys, self.values = torch.zeros(2, num_blocks, block_size, heads, dim, dtype=dtype)
        self.flat = [pool.view(num_blocks * block_size, heads, dim) for pool in (self.keys, self.values)]
        self.count = torch.zeros(num_blocks, dtype=torch.int64)
        self.size = block_size
        self.ids = itertools.count()
        self.known = {}

    def slots(self, table, start, stop):
        at = torch.arange(start, stop)
        return torch.tensor(table, dtype=torch.int64)[at.div(self.size, rounding_mode="floor")] * self.size + at % self.size

    def start(self, table, length):
        seq = next(self.ids)
        self.known[seq] = (table, length)
        return seq

    def new(self):
        return self.start((), 0)

    def append(self, seq, k, v):
        table, length = self.known[seq]
        stop = length + k.shape[0]
        if stop == length:
            return
        full, rest = divmod(length, self.size)
        keep = table if rest == 0 or self.count[table[-1]] == 1 else table[:full]
        want = (stop + self.size - 1) // self.size - len(keep)
        free = (self.count == 0).nonzero().flatten()[:want].tolist()
        if len(free) < want:
            raise RuntimeError("no block is free")
        grown = keep + tuple(free)
        self.count[free] = 1
        if keep != table:
            for pool in self.flat:
                pool[self.slots(grown, full * self.size, length)] = pool[self.slots(table, full * self.size, length)]
            self.count[table[-1]] -= 1
        for pool, new in zip(self.flat, (k, v)):
            pool[self.slots(grown, length, stop)] = new
        self.known[seq] = (grown, stop)

    def fork(self, seq):
        table, length = self.known[seq]
        self.count[list(table)] += 1
        return self.start(table, length)

    def free(self, seq):
        table, _ = self.known.pop(seq)
        self.count[list(table)] -= 1

    def gather(self, seq):
        table, length = self.known[seq]
        slots = self.slots(table, 0, length)
        return tuple(pool.index_select(0, slots) for pool in self.flat)

    def table(self, seq):
        return list(self.known[seq][0])

    def counts(self):
        return self.count.tolist()
