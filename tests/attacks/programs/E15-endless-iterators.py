# id: E15
# tries: returns generators, infinite iterators, and containers that report a wrong length
# expect: WA
# message: (another type|generator|subclass)
import itertools

import torch


class Endless:
    def __len__(self):
        return 3

    def __iter__(self):
        return itertools.count()

    def __getitem__(self, index):
        return torch.zeros(())


class Liar(list):
    def __iter__(self):
        return itertools.repeat(0.0)

    def __len__(self):
        return 1 << 62


class Keys(dict):
    def items(self):
        return zip(itertools.count(), itertools.count())


odd = itertools.cycle([itertools.count(), Endless(), Liar(), Keys(), (x for x in itertools.repeat(0)), map(int, "1")])


def attention(q, k, v):
    return next(odd)
