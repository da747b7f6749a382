# ruff: noqa
# fails: test_state_dict_round_trip
# fails: test_load_state_dict
# fails: test_load_state_dict_strictly
# fails: test_load_state_dict_loosely
# fails: test_to_another_dtype
# fails: test_autocast
# fails: test_wrong_shape

class Dense(Dense):
    def forward(self, x):
        return super().forward(x[..., :3].to(self.weight.dtype)).double()

    def load_state_dict(self, state, strict=True):
        return super().load_state_dict({k: v for k, v in state.items() if v.shape == (2,)}, strict=False)
