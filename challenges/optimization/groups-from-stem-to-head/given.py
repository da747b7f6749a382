"""Models with the peculiarities of real ones."""

import torch
from torch import Tensor, nn


class Plain(nn.Module):
    """Four children with parameters, and an activation between them."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 3, 3)
        self.norm = nn.BatchNorm2d(3)
        self.act = nn.ReLU()
        self.body = nn.Sequential(nn.Linear(3, 5), nn.LayerNorm(5), nn.Linear(5, 5, bias=False))
        self.head = nn.Linear(5, 2)


class WithTokens(nn.Module):
    """Parameters of its own: a matrix, a vector and a number."""

    def __init__(self) -> None:
        super().__init__()
        self.act = nn.ReLU()
        self.patches = nn.Linear(3, 5)
        self.blocks = nn.ModuleList([nn.Linear(5, 5) for _ in range(2)])
        self.head = nn.Linear(5, 2)
        self.positions = nn.Parameter(torch.ones(1, 7, 5))
        self.mask = nn.Parameter(torch.ones(5))
        self.scale = nn.Parameter(torch.ones(()))


class Tied(nn.Module):
    """The head uses the matrix of the embedding, and `again` is a block that `blocks` has, too."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(7, 5)
        self.blocks = nn.Sequential(nn.Linear(5, 5), nn.Linear(5, 5))
        self.again = nn.Sequential(self.blocks[0], nn.LayerNorm(5))
        self.head = nn.Linear(5, 7)
        self.head.weight = self.embedding.weight


class Twins(nn.Module):
    """Parameters of equal shapes and values everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)
        self.third = nn.Linear(3, 3)
        with torch.no_grad():
            for p in self.parameters():
                p.fill_(1.0)


class Alike(nn.Module):
    """Names that begin alike, and a parameter of the model itself that the last child holds too."""

    def __init__(self) -> None:
        super().__init__()
        self.block = nn.Linear(3, 5)
        self.block1 = nn.Linear(5, 5)
        self.block10 = nn.Linear(5, 2)
        self.table = self.block10.weight


MODELS = {"plain": Plain, "tokens": WithTokens, "tied": Tied, "twins": Twins, "alike": Alike}


def model_of(kind: str, frozen: list[str], dtype: torch.dtype = torch.float32) -> nn.Module:
    """A model whose parameters with these beginnings of their names are frozen."""
    model: nn.Module = MODELS[kind]().to(dtype)
    for name, p in model.named_parameters():
        p.requires_grad_(not name.startswith(tuple(frozen)))
    return model


def state_of(model: nn.Module) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}
