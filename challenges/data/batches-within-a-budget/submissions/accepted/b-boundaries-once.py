"""The boundaries are the same in each pass, so they are computed once; orders come from argsort."""

import torch


class BucketBatchSampler(torch.utils.data.Sampler):
    def __init__(self, lengths, max_tokens, shuffle=False, generator=None):
        self.lengths = torch.as_tensor(lengths, dtype=torch.int64).clone()
        if shuffle and generator is None:
            raise ValueError("no generator")
        if len(self.lengths) and int(self.lengths.max()) > max_tokens:
            raise ValueError("too long")
        self.generator = generator if shuffle else None
        self.bounds, start = [], 0
        ordered = self.lengths.sort().values.tolist()
        for i, n in enumerate(ordered):
            if (i + 1 - start) * n > max_tokens:
                self.bounds.append((start, i))
                start = i
        if ordered:
            self.bounds.append((start, len(ordered)))

    def __len__(self):
        return len(self.bounds)

    def __iter__(self):
        g = self.generator
        if g is None:
            order, turns = self.lengths.argsort(stable=True), range(len(self.bounds))
        else:
            mixed = torch.randperm(len(self.lengths), generator=g)
            order = mixed[self.lengths[mixed].argsort(stable=True)]
            turns = torch.randperm(len(self.bounds), generator=g).tolist()
        for turn in turns:
            start, end = self.bounds[turn]
            yield order[start:end].tolist()
