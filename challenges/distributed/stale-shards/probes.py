"""Runs your functions on several ranks, one after the other."""

import torch


class Items:
    """A dataset of pairs; x[0] is the item's number, so that one sees which items were visited."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Waits(BaseException):
    """A rank has come to a collective call that not all have reached."""


def batches(solution, x, y, world: int, start: int, stop: int, batch_size: int, seed: int) -> list:
    """For each rank: the number that train gave, and the batches as (item numbers, labels)."""
    results = []
    for rank in range(world):
        seen: list = []
        args = (Items(x, y), rank, world, start, stop, batch_size, seed)
        count = solution.train(*args, lambda x, y: seen.append((x[:, 0].long().tolist(), y.tolist())))
        results.append((count, seen))
    return results


def accuracies(solution, x, y, classes, world: int, batch_size: int) -> dict:
    """What evaluate gives on each rank, and the items that went through predict. `classes[i]` is predicted for item i.

    The ranks run one after the other: up to the first collective call, then again with its sum, up to the second, and so on.
    """
    sums: list = []
    while True:
        values, sent, visited = [], [], []
        for rank in range(world):
            calls: list = []
            mine: list = []

            def all_reduce(tensor):
                calls.append(tensor)
                if len(calls) <= len(sums):
                    tensor.copy_(sums[len(calls) - 1])
                else:
                    raise Waits(tensor.detach().clone())

            def predict(x):
                mine.append(x[:, 0].long().tolist())
                return classes[x[:, 0].long()]

            try:
                values.append(solution.evaluate(predict, Items(x, y), rank, world, batch_size, all_reduce))
                sent.append(None)
            except Waits as wait:
                sent.append(wait.args[0])
            visited.append(mine)
        kinds = {None if t is None else (tuple(t.shape), str(t.dtype)) for t in sent}
        if len(kinds) > 1 or len(sums) > 20:
            return {"hangs": True, "values": [], "visited": [], "calls": len(sums)}
        if kinds == {None}:
            return {"hangs": False, "values": values, "visited": visited, "calls": len(sums)}
        sums.append(torch.stack(sent).sum(0, dtype=sent[0].dtype))


def draws(solution, x, y, seed: int) -> tuple:
    """What torch.rand gives during training and after evaluation, where the program was seeded with `seed`."""
    drawn: list = []
    torch.manual_seed(seed)
    solution.train(Items(x, y), 0, 1, 0, 2, len(y), 3, lambda x, y: drawn.append(torch.rand(()).item()))
    torch.manual_seed(seed)
    solution.evaluate(lambda x: torch.zeros(len(x), dtype=torch.int64), Items(x, y), 0, 1, len(y), lambda t: None)
    return tuple(drawn), torch.rand(()).item()
