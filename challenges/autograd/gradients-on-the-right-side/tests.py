"""Hidden tests: three losses, and which network gets gradients from them."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_LOSS = pytest.mark.parametrize("which", ["critic_loss", "generator_loss"])


def q_weights(rng, dtype=F64):
    return [rng.randn(5, 3, dtype=dtype), rng.randn(4, 5, dtype=dtype)]


def q_batch(rng, dtype=F64, rows=7):
    done = torch.zeros(rows, dtype=torch.bool)
    done[rng.integer(0, rows)] = True
    states, following = rng.randn(rows, 3, dtype=dtype), rng.randn(rows, 3, dtype=dtype)
    return states, rng.randint(0, 4, (rows,)), rng.randn(rows, dtype=dtype), following, done


def gan_weights(rng, dtype=F64):
    generator = [rng.randn(5, 2, dtype=dtype), rng.randn(3, 5, dtype=dtype)]
    return [generator, [rng.randn(4, 3, dtype=dtype), rng.randn(1, 4, dtype=dtype)]]


def parts(weights, norm=False):
    """Leaves in the order of a network's parameters: weight, bias, (norm weight, norm bias,) weight, bias."""
    first, second = weights
    tenth = torch.full((), 0.1, dtype=first.dtype)
    made = [first.clone(), tenth.expand(len(first)).clone()]
    if norm:
        made += [torch.ones(len(first), dtype=first.dtype), torch.zeros(len(first), dtype=first.dtype)]
    return [t.requires_grad_() for t in (*made, second.clone(), tenth.expand(len(second)).clone())]


def run(p, x):
    """The network with these leaves."""
    h = torch.tanh(x @ p[0].T + p[1])
    if len(p) == 6:
        h = torch.tanh((h - h.mean(0)) / (h.var(0, correction=0) + 1e-5).sqrt() * p[2] + p[3])
    return h @ p[-2].T + p[-1]


def expected_td(online, target, batch, gamma, norm=False):
    states, actions, rewards, following, done = batch
    p = parts(online, norm)
    best = run(parts(target, norm), following).detach().max(1).values
    wanted = torch.where(done, rewards, rewards + gamma * best)
    loss = ((run(p, states)[torch.arange(len(actions)), actions] - wanted) ** 2).mean()
    return loss.detach(), list(torch.autograd.grad(loss, p))


def expected_gan(which, weights, z, real, norm=False):
    g, c = parts(weights[0], norm), parts(weights[1], norm=True)
    score = run(c, run(g, z)).mean()
    loss = score - run(c, real).mean() if which == "critic_loss" else -score
    return loss.detach(), list(torch.autograd.grad(loss, c if which == "critic_loss" else g))


def compare(found, expected):
    loss, grads = expected
    # A loss is the difference of means of about 1, and can be near 0 by chance.
    room = 2.0**-13 if loss.dtype is F32 else 2.0**-34
    assert_close(found["loss"], loss, atol=room, scale=8.0, name="loss")
    check(
        all(grad is not None for grad in found["grads"]), "a parameter of the network that should learn has no gradient"
    )
    assert_close(found["grads"], grads, scale=32.0, name="gradients")
    check(found["others"], "the .grad of a parameter that should not learn has changed")
    check(found["same"], "requires_grad of a parameter is not what it was")


def calls_of(which):
    return ["critic", "critic", "generator"] if which == "critic_loss" else ["critic", "generator"]


@sample
@points(1)
def test_td_by_hand(probes):
    """td_loss: the online network gets gradients, the target network none."""
    weights = [[torch.eye(5)[:, :3], torch.eye(5)[:4]], [0.5 * torch.eye(5)[:, :3], torch.eye(5)[:4]]]
    rows = torch.tensor([[1.0, 0.0, -1.0], [0.5, 2.0, 0.0]])
    batch = (rows, torch.tensor([0, 2]), torch.tensor([1.0, -1.0]), rows.flip(0), torch.tensor([False, True]))
    compare(probes.temporal(weights, batch, 0.5), expected_td(*weights, batch, 0.5))


def fixed(seed):
    """Weights and rows that are always the same."""
    generator = torch.Generator().manual_seed(seed)
    shapes = ((5, 2), (3, 5), (4, 3), (1, 4), (7, 2), (6, 3))
    drawn = [torch.randn(shape, generator=generator, dtype=F64) for shape in shapes]
    return [drawn[:2], drawn[2:4]], drawn[4], drawn[5]


@sample
@points(1)
def test_the_generator_learns(probes):
    """generator_loss: the generator gets gradients through the critic, and the critic none."""
    weights, z, real = fixed(1)
    compare(probes.adversarial("generator_loss", weights, z, real), expected_gan("generator_loss", weights, z, real))


@sample
@points(1)
def test_the_critic_learns(probes):
    """critic_loss: the critic gets gradients, the generator none, and its flags stay what they were."""
    weights, z, real = fixed(2)
    compare(probes.adversarial("critic_loss", weights, z, real), expected_gan("critic_loss", weights, z, real))


@points(2)
@EACH_DTYPE
def test_td_values_and_gradients(probes, rng, dtype):
    """td_loss: the value or a gradient of the online network differs."""
    weights, batch, gamma = [q_weights(rng, dtype), q_weights(rng, dtype)], q_batch(rng, dtype), rng.uniform(0.5, 0.9)
    found = probes.temporal(weights, batch, gamma)
    compare(found, expected_td(*weights, batch, gamma))
    check(found["calls"] == ["online", "target"], "each of the two networks should be called once")


@points(2)
def test_one_network_for_both(probes, rng):
    """td_loss: if online and target are one network, the gradient through the prediction alone must arrive."""
    weights, batch, gamma = q_weights(rng), q_batch(rng), rng.uniform(0.5, 0.9)
    found = probes.temporal([weights], batch, gamma)
    compare(found, expected_td(weights, weights, batch, gamma))
    check(found["calls"] == ["online", "online"], "the network should be called once for each side")


@points(2)
@pytest.mark.parametrize("frozen", ["", "0"], ids=["learning", "partly-frozen"])
def test_td_leaves_the_target_alone(probes, rng, frozen):
    """td_loss: gradients that the target had before, and its flags, must be what they were."""
    weights, batch = [q_weights(rng), q_weights(rng)], q_batch(rng)
    compare(probes.temporal(weights, batch, 0.7, True, frozen), expected_td(*weights, batch, 0.7))


@points(2)
@EACH_DTYPE
@EACH_LOSS
def test_adversarial_values_and_gradients(probes, rng, which, dtype):
    """critic_loss or generator_loss: the value or a gradient of the network that learns differs."""
    weights, z, real = gan_weights(rng, dtype), rng.randn(7, 2, dtype=dtype), rng.randn(6, 3, dtype=dtype)
    found = probes.adversarial(which, weights, z, real)
    compare(found, expected_gan(which, weights, z, real))
    check(found["calls"] == calls_of(which), "the networks should be called as often as the formula says")
    passes = 2 if which == "critic_loss" else 1
    check(found["tracked"] == passes, "the batch norm of the critic itself has counted other calls")


@points(2)
@pytest.mark.parametrize("frozen", ["", "0", "2"], ids=["learning", "first-frozen", "third-frozen"])
@EACH_LOSS
def test_the_other_network_is_left_alone(probes, rng, which, frozen):
    """critic_loss or generator_loss: earlier gradients and flags of the network that should not learn must stay."""
    weights, z, real = gan_weights(rng), rng.randn(7, 2, dtype=F64), rng.randn(6, 3, dtype=F64)
    compare(probes.adversarial(which, weights, z, real, True, frozen), expected_gan(which, weights, z, real))


@points(1)
@pytest.mark.parametrize("both", [False, True], ids=["two-networks", "one-network"])
def test_td_with_batch_norm(probes, rng, both):
    """td_loss: batch norm must be in training mode during each call, count it, and stay in this mode."""
    online, batch, gamma = q_weights(rng), q_batch(rng), rng.uniform(0.5, 0.9)
    target = online if both else q_weights(rng)
    found = probes.temporal([online] if both else [online, target], batch, gamma, norm=True)
    compare(found, expected_td(online, target, batch, gamma, norm=True))
    check(found["tracked"] == ([2] if both else [1, 1]), "a batch norm has counted other calls")
    check(found["training"], "a network is in another mode than before")


@points(1)
@EACH_LOSS
def test_batch_norm_of_the_generator(probes, rng, which):
    """critic_loss or generator_loss: the generator's batch norm must be in training mode, count the call, and stay so."""
    weights, z, real = gan_weights(rng), rng.randn(7, 2, dtype=F64), rng.randn(6, 3, dtype=F64)
    found = probes.adversarial(which, weights, z, real, norm=True)
    compare(found, expected_gan(which, weights, z, real, norm=True))
    check(found["tracked_by_generator"] == 1, "the batch norm of the generator has counted other calls")
    check(found["training"], "a network is in another mode than before")


@points(2)
@pytest.mark.parametrize("failing", ["first", "second"])
@pytest.mark.parametrize("which", ["td_loss", "critic_loss", "generator_loss"])
def test_after_an_error(probes, which, failing):
    """When a network raises, the error must go through, and each flag must be what it was."""
    found = probes.after_an_error(which, failing)
    check(found["raised"], "the error of the network was swallowed or replaced")
    check(found["same"], "requires_grad of a parameter is not what it was, after an error")


@points(2)
def test_trained_in_turn(probes, reference, rng):
    """Several rounds with both losses: both networks must go on learning."""
    weights, z, real = gan_weights(rng), rng.randn(7, 2, dtype=F64), rng.randn(6, 3, dtype=F64)
    found, expected = (p.both_in_turn(weights, z, real, 3) for p in (probes, probes.on(reference)))
    assert_close(found, expected, scale=8.0, name="weights after three rounds")
