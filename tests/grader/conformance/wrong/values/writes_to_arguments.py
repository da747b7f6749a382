# ruff: noqa
# fails: test_tensor_comes_back[0-d]
# fails: test_tensor_comes_back[empty]
# fails: test_tensor_comes_back[nothing]
# fails: test_tensor_comes_back[bool]
# fails: test_tensor_comes_back[int8]
# fails: test_tensor_comes_back[int64]
# fails: test_tensor_comes_back[uint8]
# fails: test_tensor_comes_back[uint16]
# fails: test_tensor_comes_back[float16]
# fails: test_tensor_comes_back[bfloat16]
# fails: test_tensor_comes_back[float64]
# fails: test_tensor_comes_back[float8]
# fails: test_tensor_comes_back[complex64]
# fails: test_tensor_comes_back[special]
# fails: test_tensor_comes_back[large]
# fails: test_result_that_is_not_the_argument
# fails: test_one_argument_twice
# fails: test_aliased_arguments
# fails: test_untouched_argument

def affine(x, scale=1, *, shift=0):
    return x.mul_(1).clone() * scale + shift


def copy(x):
    return x


def related(a, b):
    return [a is b, False]
