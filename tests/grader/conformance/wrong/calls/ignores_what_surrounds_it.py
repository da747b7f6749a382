# ruff: noqa
# fails: test_surroundings
# fails: test_no_grad
# fails: test_inference_mode
# fails: test_autocast
# fails: test_default_dtype
# fails: test_seeded_calls_repeat
# fails: test_other_seeds_give_other_draws
# fails: test_other_libraries_repeat[random]
# fails: test_other_libraries_repeat[numpy]
# fails: test_a_call_without_draws_leaves_the_generator
# fails: test_generator_comes_back_advanced
# fails: test_error_of_torch
# fails: test_no_warning
# fails: test_fixture
# fails: test_function_of_torch_as_an_argument
# fails: test_answer_as_an_argument

def surroundings():
    return {"grad": True, "inference": False, "autocast": None, "default": torch.float64}


def copy(x):
    warnings.warn("a copy")
    return x.detach()


def ones(n):
    return torch.ones(n, dtype=torch.float32)


def product(a, b):
    with torch.autocast("cpu", enabled=False):
        return (a.reshape(-1)[:1] * b.reshape(-1)[:1]).sum()


def noise(n):
    return torch.randn(n, generator=torch.Generator().manual_seed(0))


def dice(n, library):
    return [0.5] * n


def draw(n, generator):
    return torch.randn(n, generator=generator.clone_state())


def affine(x, scale=1, *, shift=0):
    return x


def apply(function, x):
    return function(x) + 1
