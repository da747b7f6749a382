# ruff: noqa
# fails: test_autocast
# fails: test_error_of_the_family[AssertionError]
# fails: test_error_of_the_family[AttributeError]
# fails: test_error_of_the_family[IndexError]
# fails: test_error_of_the_family[KeyError]
# fails: test_error_of_the_family[LookupError]
# fails: test_error_of_the_family[NotImplementedError]
# fails: test_error_of_the_family[OverflowError]
# fails: test_error_of_the_family[RecursionError]
# fails: test_error_of_the_family[RuntimeError]
# fails: test_error_of_the_family[TypeError]
# fails: test_error_of_the_family[ValueError]
# fails: test_error_of_the_family[ZeroDivisionError]
# fails: test_error_of_the_family[ArithmeticError]
# fails: test_error_of_the_family[NameError]
# fails: test_error_of_the_family[OSError]
# fails: test_error_of_the_family[TimeoutError]
# fails: test_error_of_the_family[MemoryError]
# fails: test_error_of_the_family[own]
# fails: test_error_of_the_family[stop]
# fails: test_text_of_an_error
# fails: test_error_of_a_check
# fails: test_error_of_torch
# fails: test_warning[user]
# fails: test_warning[deprecated]
# fails: test_warning[own]
# fails: test_warning_as_an_error
# fails: test_warning_before_an_error
# fails: test_ordered_dict_is_a_dict
# fails: test_return_type_of_torch_is_a_tuple

def fail(name):
    raise Exception("it is told otherwise")


def checked(x, axis):
    return x.sum(min(axis, x.dim() - 1))


def product(a, b):
    raise TypeError("not today")


def warn(name):
    warnings.warn("another way", DeprecationWarning if name == "user" else UserWarning)
    return name


def warn_and_fail():
    raise RuntimeError("it did not")


def odd(what):
    return {"a": 2} if what == "ordered" else (torch.ones(2), torch.ones(2))
