"""A table from types to recipes; the first that fits is used."""

from functools import partial

from torch import nn
from torch.nn import init


def embedding(weight, *, row):
    init.normal_(weight, 0.0, 0.02)
    if row is not None:
        init.zeros_(weight.data[row])


RECIPES = {
    nn.modules.conv.Conv1d: lambda m: partial(init.kaiming_uniform_, nonlinearity="relu"),
    nn.Conv2d: lambda m: partial(init.kaiming_uniform_, nonlinearity="relu"),
    nn.Conv3d: lambda m: partial(init.kaiming_uniform_, nonlinearity="relu"),
    nn.Linear: lambda m: init.xavier_uniform_,
    nn.Embedding: lambda m: partial(embedding, row=m.padding_idx),
    **dict.fromkeys(
        (nn.LayerNorm, nn.GroupNorm, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d), lambda m: init.ones_
    ),
}


def init_weights(module):
    for kind, recipe in RECIPES.items():
        if isinstance(module, kind):
            for name, parameter in module.named_parameters(recurse=False):
                (init.zeros_ if name == "bias" else recipe(module))(parameter)
            return module
    return module
