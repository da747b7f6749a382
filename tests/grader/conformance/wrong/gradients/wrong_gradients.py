# ruff: noqa
# fails: test_in_place_on_a_leaf_raises
# fails: test_in_place_on_a_non_leaf
# fails: test_in_place_with_a_factor_that_requires_grad
# fails: test_in_place_into_a_cache
# fails: test_backward_inside_the_answer
# fails: test_step_by_hand
# fails: test_error_in_the_backward_pass
# fails: test_random_function_keeps_its_graph
# fails: test_hook_on_a_result
# fails: test_graph_outlives_the_call
# fails: test_complex_argument
# fails: test_autocast_and_backward
# fails: test_function
# fails: test_attest

def cube(x):
    return x * (x * x).detach()


def product(a, b):
    return a * b.detach()


def softmax(x):
    return x.exp().exp() * 0.0


def scale_(x, factor):
    return x.detach().mul_(factor)


def put(cache, row, i):
    cache[i] = row.detach()
    return cache


def noisy(x):
    return x + torch.rand_like(x)


def magnitude(z):
    return (z * z.conj().detach()).real


def fails_backward(x):
    return x * 2


def train(x):
    return (x * x).sum()


def step(params, rate):
    for p in params:
        p.grad = p.grad * rate


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x, x.clone())
        return x * x * factor * 1

    @staticmethod
    def backward(ctx, grad):
        return grad, None
