# ruff: noqa
# fails: test_one_argument_twice
# fails: test_aliased_arguments
# fails: test_mutated_argument
# fails: test_mutated_view[transposed]
# fails: test_mutated_view[sliced]
# fails: test_mutation_is_noticed
# fails: test_mutation_inside_a_list
# fails: test_mutation_before_an_error
# fails: test_mutation_of_a_list
# fails: test_mutation_in_inference_mode

def double_(x):
    return x * 2


def fill_first(xs, value):
    return torch.full_like(xs[0], value)


def append_to(items):
    return len([*items, 4])


def fail_after_writing(x):
    raise ValueError("too late")


def related(a, b):
    return [True, True]


def write_and_read(a, b):
    return a.fill_(7).clone()
