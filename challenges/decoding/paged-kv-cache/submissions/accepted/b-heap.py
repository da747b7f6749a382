"""A heap of free blocks, and one token after the other: each token asks for its place, which may need a block or a copy."""

import heapq
from dataclasses import dataclass, field

import torch


@dataclass
class Sequence:
    length: int = 0
    blocks: list = field(default_factory=list)


class PagedCache:
    def __init__(self, num_blocks, block_size, heads, dim, dtype=torch.float32):
        self.size = block_size
        self.keys = torch.empty(num_blocks, block_size, heads, dim, dtype=dtype)
        self.values = torch.empty(num_blocks, block_size, heads, dim, dtype=dtype)
        self.refs = dict.fromkeys(range(num_blocks), 0)
        self.idle = list(self.refs)
        self.sequences = []

    def find(self, seq):
        if not 0 <= seq < len(self.sequences) or self.sequences[seq] is None:
            raise KeyError(seq)
        return self.sequences[seq]

    def take(self):
        block = heapq.heappop(self.idle)
        self.refs[block] = 1
        return block

    def release(self, block):
        self.refs[block] -= 1
        if not self.refs[block]:
            heapq.heappush(self.idle, block)

    def must_copy(self, s):
        return s.length % self.size != 0 and self.refs[s.blocks[-1]] > 1

    def new(self):
        self.sequences.append(Sequence())
        return len(self.sequences) - 1

    def append(self, seq, k, v):
        s = self.find(seq)
        room = len(s.blocks) * self.size - s.length
        wanted = max(0, -((room - len(k)) // self.size))
        if len(k) and self.must_copy(s):
            wanted += 1
        if wanted > len(self.idle):
            raise RuntimeError(f"{wanted} blocks are needed, {len(self.idle)} are free")
        for one_k, one_v in zip(k, v):
            offset = s.length % self.size
            if offset == 0:
                s.blocks.append(self.take())
            elif self.must_copy(s):
                old, new = s.blocks[-1], self.take()
                for pool in (self.keys, self.values):
                    pool[new, :offset] = pool[old, :offset]
                self.release(old)
                s.blocks[-1] = new
            self.keys[s.blocks[-1], offset] = one_k
            self.values[s.blocks[-1], offset] = one_v
            s.length += 1

    def fork(self, seq):
        s = self.find(seq)
        for block in s.blocks:
            self.refs[block] += 1
        self.sequences.append(Sequence(s.length, s.blocks.copy()))
        return len(self.sequences) - 1

    def free(self, seq):
        for block in self.find(seq).blocks:
            self.release(block)
        self.sequences[seq] = None

    def gather(self, seq):
        s = self.find(seq)
        places = [(block, i) for block in s.blocks for i in range(self.size)][: s.length]
        shape = (s.length, *self.keys.shape[2:])
        out = self.keys.new_empty(shape), self.values.new_empty(shape)
        for row, place in enumerate(places):
            out[0][row], out[1][row] = self.keys[place], self.values[place]
        return out

    def table(self, seq):
        return self.find(seq).blocks[:]

    def counts(self):
        return list(self.refs.values())
