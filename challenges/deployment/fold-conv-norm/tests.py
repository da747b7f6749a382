"""Hidden tests: folded layers and networks compute what they did before."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, check, points, sample

CONVS = {
    "plain": {"in_channels": 2, "out_channels": 3, "kernel_size": 3},
    "no-bias": {"in_channels": 2, "out_channels": 3, "kernel_size": 3, "bias": False},
    "strided": {"in_channels": 2, "out_channels": 3, "kernel_size": (3, 2), "stride": (2, 1), "padding": (1, 2)},
    "dilated": {"in_channels": 2, "out_channels": 3, "kernel_size": 2, "dilation": 2},
    "grouped": {"in_channels": 4, "out_channels": 6, "kernel_size": 2, "groups": 2},
    "depthwise": {"in_channels": 3, "out_channels": 3, "kernel_size": 3, "groups": 3, "bias": False},
    "one-by-one": {"in_channels": 3, "out_channels": 3, "kernel_size": 1},
}
PADDINGS = {
    "reflect": {"in_channels": 2, "out_channels": 3, "kernel_size": 3, "padding": 1, "padding_mode": "reflect"},
    "circular": {"in_channels": 2, "out_channels": 3, "kernel_size": 3, "padding": 1, "padding_mode": "circular"},
    "same": {"in_channels": 2, "out_channels": 3, "kernel_size": 3, "padding": "same"},
    "same-even": {"in_channels": 2, "out_channels": 3, "kernel_size": (2, 3), "padding": "same", "dilation": (3, 2)},
}


def drawn(rng, conv, bn=None, dtype=torch.float64):
    """A plan and the states of its two layers."""
    out, groups = conv["out_channels"], conv.get("groups", 1)
    kernel = conv["kernel_size"] if isinstance(conv["kernel_size"], tuple) else (conv["kernel_size"],) * 2
    state = {"weight": rng.randn(out, conv["in_channels"] // groups, *kernel, dtype=dtype)}
    if conv.get("bias", True):
        state["bias"] = rng.randn(out, dtype=dtype)
    bn = {"num_features": out, "eps": rng.uniform(0.01, 0.5), **(bn or {})}
    norm = {}
    if bn.get("affine", True):
        norm = {"weight": rng.randn(out, dtype=dtype), "bias": rng.randn(out, dtype=dtype)}
    if bn.get("track_running_stats", True):
        norm["running_mean"] = rng.randn(out, dtype=dtype)
        norm["running_var"] = 0.05 + rng.rand(out, dtype=dtype)
        norm["num_batches_tracked"] = torch.tensor(rng.integer(1, 99))
    return {"conv": conv, "bn": bn}, state, norm


def expected(plan, state, norm, x):
    conv = plan["conv"]
    padding, kernel = conv.get("padding", 0), state["weight"].shape[2:]
    if conv.get("padding_mode", "zeros") != "zeros":
        x, padding = F.pad(x, (padding,) * 4, mode=conv["padding_mode"]), 0
    settings = conv.get("stride", 1), padding, conv.get("dilation", 1), conv.get("groups", 1)
    check(len(kernel) == 2, "a kernel has two dimensions")
    y = F.conv2d(x, state["weight"], state.get("bias"), *settings)
    mean, var = norm["running_mean"], norm["running_var"]
    return F.batch_norm(y, mean, var, norm.get("weight"), norm.get("bias"), False, 0.0, plan["bn"]["eps"])


def compare(probes, rng, conv, bn=None, dtype=torch.float64):
    plan, state, norm = drawn(rng, conv, bn, dtype)
    x = rng.randn(2, conv["in_channels"], 6, 5, dtype=dtype)
    found = probes.folded(plan, state, norm, x)
    assert_close(found["output"], expected(plan, state, norm, x), scale=4.0)
    return found


def network_state(probes, rng, names=None):
    """Random weights and statistics for given.network, or for other names and shapes."""
    state = {}
    for name, shape in (names or probes.names()).items():
        state[name] = rng.randn(*shape, dtype=torch.float64)
        if name.endswith("running_var"):
            state[name] = 0.2 + state[name].abs()
        if name.endswith("num_batches_tracked"):
            state[name] = torch.tensor(3)
    return state


@sample
@points(1)
def test_one_pixel_by_hand(probes):
    """A 1 by 1 convolution and a norm with round numbers: 2x + 1, less 3, divided by 2, times 10, plus 7."""
    plan = {"conv": {"in_channels": 1, "out_channels": 1, "kernel_size": 1}, "bn": {"num_features": 1, "eps": 1.0}}
    state = {"weight": torch.tensor([[[[2.0]]]]), "bias": torch.tensor([1.0])}
    norm = {"weight": torch.tensor([10.0]), "bias": torch.tensor([7.0])}
    norm |= {"running_mean": torch.tensor([3.0]), "running_var": torch.tensor([3.0])}
    norm["num_batches_tracked"] = torch.tensor(1)
    found = probes.folded(plan, state, norm, torch.tensor([[[[0.0, 1.0, 5.0]]]]))
    assert_close(found["output"], torch.tensor([[[[-3.0, 7.0, 47.0]]]]))


@sample
@points(1)
def test_train_mode_is_refused(probes, rng):
    """A norm in train mode computes with the batch: it cannot be folded, ValueError."""
    plan = {
        "conv": {"in_channels": 1, "out_channels": 1, "kernel_size": 1},
        "bn": {"num_features": 1},
        "training": True,
    }
    norm = {"weight": torch.ones(1), "bias": torch.zeros(1), "running_mean": torch.zeros(1)}
    norm |= {"running_var": torch.ones(1), "num_batches_tracked": torch.tensor(1)}
    raised = probes.refuses(plan, {"weight": torch.ones(1, 1, 1, 1), "bias": torch.zeros(1)}, norm)
    check(raised == "ValueError", "ValueError was expected")


@sample
@points(1)
def test_nothing_to_fold(probes, rng):
    """Where no norm directly follows a convolution in an nn.Sequential there is nothing to do: 0."""
    found = list(probes.nothing_to_fold(rng.randn(1, 2, 3, 3)))
    check(found == [0] * 8, "0 was expected for these models")


@points(2)
@pytest.mark.parametrize("conv", list(CONVS))
def test_one_pair(probes, rng, conv):
    """A folded layer gives another output: factor per output channel, shift with the old bias, all settings kept."""
    compare(probes, rng, CONVS[conv])


@points(1)
@pytest.mark.parametrize("mode", list(PADDINGS))
def test_padding_modes(probes, rng, mode):
    """The folded layer pads in another way than the old one did."""
    compare(probes, rng, PADDINGS[mode])


@points(1)
@pytest.mark.parametrize("conv", ["plain", "no-bias"])
def test_norm_without_weights(probes, rng, conv):
    """affine=False: the norm has neither weight nor bias."""
    compare(probes, rng, CONVS[conv], {"affine": False})


@points(1)
def test_float32(probes, rng):
    """A float32 layer stays float32."""
    compare(probes, rng, CONVS["plain"], dtype=torch.float32)


@points(2)
def test_a_layer_of_its_own(probes, rng):
    """The result is a new Conv2d in eval mode with parameters of its own; the old layers stay as they were."""
    for name in ("plain", "no-bias", "depthwise"):
        found = compare(probes, rng, CONVS[name])
        check(found["kind"] == "Conv2d", "the result should be an nn.Conv2d")
        check(found["bias"], "the folded convolution has a bias, whatever the old one had")
        check(sorted(found["learns"]) == ["bias", "weight"], "weight and bias should be ordinary parameters, leaves")
        check(not found["training"], "the folded layer should be in eval mode")
        check(found["unchanged"], "the old layers were changed")
        check(found["new"], "the result shares parameters or buffers with the old layers")


@points(1)
@pytest.mark.parametrize("frozen", [["weight"], ["weight", "bias"]], ids=["weight", "both"])
def test_a_frozen_convolution(probes, rng, frozen):
    """Parameters of the new layer require gradients, whatever those of the old one did."""
    plan, state, norm = drawn(rng, CONVS["plain"])
    plan["frozen"] = frozen
    x = rng.randn(2, 2, 6, 5, dtype=torch.float64)
    found = probes.folded(plan, state, norm, x)
    assert_close(found["output"], expected(plan, state, norm, x), scale=4.0)
    check(sorted(found["learns"]) == ["bias", "weight"], "weight and bias should require gradients")
    check(found["unchanged"], "the old layers were changed")


@points(1)
@pytest.mark.parametrize("why", ["no-statistics", "other-channels", "more-channels"])
def test_what_cannot_be_folded(probes, rng, why):
    """A norm without running statistics, or for another number of channels, raises ValueError."""
    if why == "more-channels":
        plan, state, _ = drawn(rng, CONVS["one-by-one"] | {"out_channels": 1})
        _, _, norm = drawn(rng, CONVS["one-by-one"])
        plan["bn"] |= {"num_features": 3}
        check(probes.refuses(plan, state, norm) == "ValueError", "ValueError was expected")
        return
    bn = {"track_running_stats": False} if why == "no-statistics" else {"num_features": 1}
    plan, state, norm = drawn(rng, CONVS["plain"], {})
    if why == "no-statistics":
        norm = {name: norm[name] for name in ("weight", "bias")}
    else:
        norm = {name: value[:1] if value.dim() else value for name, value in norm.items()}
    plan["bn"] |= bn
    check(probes.refuses(plan, state, norm) == "ValueError", "ValueError was expected")


@points(3)
def test_whole_network(probes, rng):
    """After fold_all_ the network gives other outputs, folds too few or too many norms, or has another length."""
    found = probes.folded_network(network_state(probes, rng), rng.randn(2, 2, 9, 9, dtype=torch.float64))
    check(found["count"] == 4, "there are four pairs in this network")
    assert_close(found["after"], found["before"], scale=8.0)
    check(
        sorted(found["norms"]) == ["0", "3.0.norm", "6"], "other norms are left than those that follow no convolution"
    )
    check(found["length"] == 9, "a Sequential has another length: indices of layers must stay what they were")
    check(found["again"] == 0, "a second call should find nothing")
    check(not found["training"], "a module of the network is in train mode")


@points(2)
@pytest.mark.parametrize("which", ["2", "3.0.body.4", "8"])
def test_all_or_nothing(probes, rng, which):
    """If one norm cannot be folded, ValueError is raised and nothing has been changed."""
    x = rng.randn(1, 2, 9, 9, dtype=torch.float64)
    found = probes.network_that_differs(network_state(probes, rng), which, x)
    check(found["raised"] == "ValueError", "ValueError was expected")
    check(found["same"] and found["modes"], "the network was changed although an error was raised")


@points(2)
@pytest.mark.parametrize("how", ["statistics", "channels"])
@pytest.mark.parametrize("which", ["3.0.body.4", "8"])
def test_all_or_nothing_for_every_reason(probes, rng, which, how):
    """Whatever the reason that a late pair cannot be folded, the pairs before it must not have been replaced by then."""
    x = rng.randn(1, 2, 9, 9, dtype=torch.float64)
    found = probes.network_that_differs(network_state(probes, rng), which, x, how)
    check(found["raised"] == "ValueError", "ValueError was expected")
    check(found["same"] and found["modes"], "the network was changed although an error was raised")


@points(2)
def test_layers_with_names(probes, rng):
    """Layers of a Sequential may have names: the folded layer and the Identity take the places under the same ones."""
    state = network_state(probes, rng, probes.shapes_of_named())
    found = probes.folded_names(state, rng.randn(2, 2, 4, 4, dtype=torch.float64))
    kinds = ["Conv2d", "Identity", "BatchNorm2d", "Dropout", "Conv2d", "Identity"]
    names = ["conv", "norm", "again", "drop", "last", "end"]
    check(list(found["kinds"]) == list(zip(names, kinds, strict=True)), "other layers, or other names, than expected")
    check(found["count"] == 2, "there are two pairs in this network")
    assert_close(found["after"], found["before"], scale=8.0)


@points(2)
def test_outside_of_sequential(probes, rng):
    """In a module of another class the children stay, whatever their order: its forward may call the norm first."""
    state = network_state(probes, rng, probes.shapes_of_norm_first())
    found = probes.folded_norm_first(state, rng.randn(2, 2, 5, 4, dtype=torch.float64))
    check(
        found["norms"] == ["3.norm"] and found["kept"],
        "a layer outside of nn.Sequential was replaced, or another one left",
    )
    check(found["count"] == 1, "there is one pair in this network")
    assert_close(found["after"], found["before"], scale=8.0)


@points(1)
@pytest.mark.parametrize("which", ["0", "3.0.norm", "6", "5", ""], ids=["0", "3.0.norm", "6", "dropout", "the-model"])
def test_other_norms_do_not_matter(probes, rng, which):
    """What is not folded may be in any mode, and stays in it: it is none of the function's business."""
    x = rng.randn(1, 2, 9, 9, dtype=torch.float64)
    found = probes.network_that_differs(network_state(probes, rng), which, x)
    check(found["raised"] == "", "an error was raised because of the mode of a layer that is not folded")
    check(found["modes"], "the mode of a layer that is not folded was changed")
