# ruff: noqa
# fails: test_seeded_calls_repeat
# fails: test_a_call_without_draws_leaves_the_generator
# fails: test_deterministic
# fails: test_generator_comes_back_advanced

fixed = torch.Generator().manual_seed(0)


def copy(x):
    torch.rand(1)
    return x.clone()


def noise(n):
    return torch.randn(n, generator=fixed)


def draw(n, generator):
    return torch.randn(n + 1, generator=generator)[:n]
