# ruff: noqa
# fails: test_in_place_on_a_leaf_raises
# fails: test_in_place_on_a_non_leaf
# fails: test_in_place_with_a_factor_that_requires_grad
# fails: test_gradients_stay_alone
# fails: test_hook_on_a_result
# fails: test_retain_grad_on_a_result
# fails: test_graph_outlives_the_call
# fails: test_attest_backward

def cube(x):
    y = x * x * x
    if x.requires_grad and y.requires_grad:
        x.grad = torch.ones_like(x)
    return y.detach()


def scale_(x, factor):
    with torch.no_grad():
        return x.mul_(factor)


def softmax(x):
    return x + 1
