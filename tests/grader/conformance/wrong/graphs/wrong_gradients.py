# ruff: noqa
# fails: test_backward
# fails: test_gradients_accumulate
# fails: test_autograd_grad
# fails: test_backward_with_a_gradient
# fails: test_inside_a_larger_graph
# fails: test_gradcheck
# fails: test_gradients_of_the_reference
# fails: test_double_backward_by_hand
# fails: test_gradient_penalty
# fails: test_hessian_and_jacobian
# fails: test_second_backward_raises
# fails: test_retain_graph
# fails: test_argument_changed_between_the_passes
# fails: test_non_leaf_argument
# fails: test_argument_used_twice
# fails: test_views_of_one_argument
# fails: test_broadcasting[(3, 1)]
# fails: test_broadcasting[(1, 4)]
# fails: test_broadcasting[()]
# fails: test_broadcasting[(2, 3, 4)]
# fails: test_strided_arguments[transposed]
# fails: test_strided_arguments[expanded]
# fails: test_strided_arguments[sliced]
# fails: test_expanded_leaf
# fails: test_frozen_argument
# fails: test_unused_argument
# fails: test_arguments_in_containers
# fails: test_several_outputs
# fails: test_one_of_several_outputs
# fails: test_outputs_one_after_the_other
# fails: test_outputs_of_which_one_is_detached
# fails: test_outputs_in_containers
# fails: test_detached_output
# fails: test_detached_output_fails_the_kit
# fails: test_output_that_hangs_on_something_else
# fails: test_output_that_is_a_leaf
# fails: test_output_that_is_the_argument
# fails: test_output_changed_by_the_test

class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * 0.5, None


def cube(x):
    return Wrong.apply(x, (x * x).detach())


def product(a, b):
    return Wrong.apply(a, b.detach())


def softmax(x):
    return torch.softmax(x, -1).detach() + 0 * x


def split(x):
    return Wrong.apply(x, 1.0), Wrong.apply(x, 2.0)


def mixed(x):
    return Wrong.apply(x, 2.0), 3 * x, x.argmax()


def nested(x):
    return {"a": [Wrong.apply(x, 2.0), None], "b": (x.detach() * 3,)}


def detached(x):
    return x * x


def rooted(x):
    return x * 2


def first_only(a, b):
    return a * 2 + 0 * b


def weights(n):
    return torch.ones(n, requires_grad=True) * 1


def identity(x):
    return Wrong.apply(x, 1.0)


def picked(xs):
    return xs[0] + xs[1]["b"]
