# ruff: noqa
# fails: test_state_dict
# fails: test_state_dict_round_trip
# fails: test_load_state_dict
# fails: test_load_state_dict_strictly
# fails: test_load_state_dict_loosely
# fails: test_buffers
# fails: test_train_and_eval
# fails: test_batch_norm
# fails: test_dropout
# fails: test_mode_of_a_layer_without_modes
# fails: test_no_grad
# fails: test_to_another_dtype
# fails: test_gradcheck
# fails: test_declared_attributes
# fails: test_attribute_that_counts
# fails: test_attribute_that_is_none
# fails: test_method_with_a_graph
# fails: test_method_that_trains
# fails: test_method_that_returns_self
# fails: test_method_that_uses_gradients
# fails: test_module_as_an_argument
# fails: test_modules_in_a_list
# fails: test_given_module
# fails: test_given_module_with_changed_state
# fails: test_given_module_is_trained
# fails: test_given_module_that_is_frozen
# fails: test_attest

class Dense(Dense):
    def __init__(self, n_in, n_out, bias=True):
        super().__init__(n_in, n_out)
        self.register_buffer("extra", torch.zeros(1))
        self.n_in = n_out

    def forward(self, x):
        y = (x @ self.weight.detach().t()).float()
        return y if self.training else -y

    @property
    def device(self):
        return "cpu"

    def load_state_dict(self, state, strict=True):
        return super().load_state_dict({}, strict=False)

    def fit(self, x, y, rate):
        return 1.0

    def norm(self):
        return self.weight.pow(2).sum().detach()

    def reset(self):
        nn.init.zeros_(self.weight)

    def clip(self, largest):
        return torch.tensor(1.0)

    def to(self, *args, **kwargs):
        return self


class Net(Net):
    def __init__(self, p=0.5):
        super().__init__(p)
        self.norm = nn.Identity()
        self.register_buffer("running_mean", torch.zeros(3), persistent=False)

    def forward(self, x):
        self.running_mean += torch.rand(3)
        return self.last(x) + self.running_mean[:2]

    def train(self, mode=True):
        self.training = True
        return self


def apply(module, x):
    return x * 1


def apply_all(modules, x):
    return modules[0](x).detach()


def train_given(module, x, y, rate):
    return F.mse_loss(module(x), y).item()


def loss_given(module, x):
    return module.requires_grad_(True)(x).pow(2).sum()
