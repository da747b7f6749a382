# ruff: noqa
# fails: test_gradgradcheck
# fails: test_double_backward_by_hand
# fails: test_gradient_penalty
# fails: test_hessian_and_jacobian
# fails: test_second_backward_raises
# fails: test_argument_changed_between_the_passes

class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.detach().clone()
        return x * x * x

    @staticmethod
    def backward(ctx, grad):
        return 3 * ctx.x**2 * grad


def cube(x):
    return Kept.apply(x)
