# ruff: noqa
# fails: test_call
# fails: test_seeded_initialisation
# fails: test_parameters_are_the_same_objects
# fails: test_gradients_of_input_and_parameters
# fails: test_double_backward_through_parameters
# fails: test_zero_grad
# fails: test_writing_to_parameters[no-grad]
# fails: test_writing_to_parameters[data]
# fails: test_writing_to_parameters[new-data]
# fails: test_writing_to_parameters[init]
# fails: test_writing_to_parameters[detached]
# fails: test_freezing_parameters_one_by_one
# fails: test_requires_grad

fixed = torch.Generator().manual_seed(0)


class Dense(Dense):
    def __init__(self, n_in, n_out, bias=True):
        super().__init__(n_in, n_out, bias)
        self.weight = nn.Parameter(torch.randn(n_out, n_in, generator=fixed))

    def forward(self, x):
        self.weight = nn.Parameter(self.weight.detach().clone())
        y = super().forward(x.detach())
        return y + nn.Parameter(torch.ones(1))

    def requires_grad_(self, flag=True):
        return super().requires_grad_(True)

    def zero_grad(self, set_to_none=True):
        for p in self.parameters():
            p.grad = torch.ones_like(p)
