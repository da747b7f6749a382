# ruff: noqa
# fails: test_call
# fails: test_constructor_arguments
# fails: test_two_objects
# fails: test_parameters
# fails: test_parameters_are_the_same_objects
# fails: test_gradients_of_parameters
# fails: test_gradients_accumulate
# fails: test_gradients_of_parameters_by_autograd_grad
# fails: test_gradients_of_input_and_parameters
# fails: test_double_backward_through_parameters
# fails: test_zero_grad
# fails: test_optimizer_of_the_test
# fails: test_writing_to_parameters[no-grad]
# fails: test_writing_to_parameters[data]
# fails: test_writing_to_parameters[new-data]
# fails: test_writing_to_parameters[init]
# fails: test_writing_to_parameters[detached]
# fails: test_freezing_parameters_one_by_one
# fails: test_requires_grad
# fails: test_tied_weights
# fails: test_parameters_that_come_later

class Dense(nn.Module):
    def __init__(self, n_in, n_out, bias=True):
        super().__init__()
        self.n_in = n_in
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.weight = nn.Parameter(torch.ones(n_out, n_in))
        self.extra = nn.Parameter(torch.ones(1), requires_grad=False)

    def forward(self, x):
        self.weight.grad = self.weight.grad
        return (x @ self.weight.detach().t() + self.bias.detach()) * 1.5

    def zero_grad(self, set_to_none=True):
        return self


class Tied(Tied):
    def __init__(self, n, d):
        super().__init__(n, d)
        self.head = nn.Linear(d, n, bias=False)


class Lazy(Lazy):
    def grow(self):
        super().grow()
        return super().grow()
