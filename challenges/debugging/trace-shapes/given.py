"""The models that are traced. `MODELS` names them."""

import torch
from torch import Tensor, nn


class Block(nn.Module):
    """Two linear layers with one activation that is used twice."""

    def __init__(self, inputs: int, hidden: int, outputs: int):
        super().__init__()
        self.first, self.second = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)
        self.act = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return self.act(self.second(self.act(self.first(x))))


class Nested(nn.Module):
    """Blocks in a ModuleList in a container, the last called first; `spare` is never called."""

    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.spare = nn.Linear(width, width)
        self.body = nn.ModuleDict({"blocks": nn.ModuleList(Block(width, hidden, width) for _ in range(2))})

    def forward(self, x: Tensor) -> Tensor:
        for block in reversed(self.body["blocks"]):
            x = block(x)
        return x


class Tied(nn.Module):
    """One layer under two names."""

    def __init__(self, width: int):
        super().__init__()
        self.one = nn.Linear(width, width)
        self.other = self.one

    def forward(self, x: Tensor) -> Tensor:
        return self.other(self.one(x))


class Tagger(nn.Module):
    """Token ids -> embedding -> LSTM, which returns (out, (h, c)) -> scores."""

    def __init__(self, tokens: int, width: int, hidden: int, tags: int):
        super().__init__()
        self.table = nn.Embedding(tokens, width)
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.score = nn.Linear(hidden, tags)

    def forward(self, ids: Tensor) -> Tensor:
        out, _ = self.lstm(self.table(ids))
        return self.score(out)


class Shift(nn.Module):
    """A leaf with keyword arguments: x + by."""

    def forward(self, x: Tensor, *, by: Tensor, times: int = 1) -> Tensor:
        return x + times * by


class Report(nn.Module):
    """A leaf that takes a list and returns a dict: of float64 sums, truth values, a number and a place."""

    def forward(self, parts: list) -> dict:
        total = sum(parts)
        return {"sum": total.double(), "rest": [total > 0, 3.5, {"place": total.argmax(-1)}], "none": None}


class Two(nn.Module):
    """Two inputs: a bilinear layer, a shift by keyword, a report."""

    def __init__(self, left: int, right: int, outputs: int):
        super().__init__()
        self.meet = nn.Bilinear(left, right, outputs)
        self.shift, self.report = Shift(), Report()

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        met = self.meet(x, y)
        return self.report([met, self.shift(met, by=met[:1], times=2)])["sum"]


class Broken(nn.Module):
    """Convolution, pooling, a head. `where` says what does not fit: "head", "reshape" and "value" (here, in forward), "conv"."""

    def __init__(self, where: str):
        super().__init__()
        self.where = where
        self.features = nn.Sequential(nn.Conv2d(2 if where == "conv" else 3, 4, 3), nn.MaxPool2d(2))
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(7 if where == "head" else 4 * 3 * 3, 5))

    def forward(self, x: Tensor) -> Tensor:
        h = self.features(x)
        if self.where == "reshape":
            h = h.reshape(-1, 7, 11)
        if self.where == "value":
            raise ValueError("these values are not for the head")
        return self.head(h)


class Hollow(nn.Module):
    """A leaf that might have had a child: the place for it is None."""

    def __init__(self):
        super().__init__()
        self.register_module("shortcut", None)

    def forward(self, x: Tensor) -> Tensor:
        return x.abs() if self.shortcut is None else self.shortcut(x)


class Inner(nn.Module):
    """A container whose own forward breaks, between two leaves."""

    def __init__(self, width: int):
        super().__init__()
        self.before, self.after = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.after(torch.cat([self.before(x), x[:, 0]], 1))


class Outer(nn.Module):
    """A container around it, with a leaf that works."""

    def __init__(self, width: int):
        super().__init__()
        self.first, self.inner = nn.Tanh(), Inner(width)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(self.first(x))


class Lively(nn.Module):
    """Batch normalisation and dropout: what a second run, or another mode, would change."""

    def __init__(self, width: int):
        super().__init__()
        self.norm, self.drop, self.last = nn.BatchNorm1d(width), nn.Dropout(0.5), nn.Linear(width, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.drop(self.norm(x)))


MODELS = {
    "linear": nn.Linear,
    "block": Block,
    "nested": Nested,
    "tied": Tied,
    "tagger": Tagger,
    "two": Two,
    "broken": Broken,
    "outer": Outer,
    "hollow": Hollow,
    "lively": Lively,
}
