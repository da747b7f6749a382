# ruff: noqa
# fails: test_in_place_on_a_leaf_raises
# fails: test_in_place_on_a_non_leaf
# fails: test_in_place_with_a_factor_that_requires_grad
# fails: test_in_place_breaks_what_was_saved
# fails: test_no_grad_around_a_call

def cube(x):
    with torch.enable_grad():
        return x * x * x


def scale_(x, factor):
    return x * factor
