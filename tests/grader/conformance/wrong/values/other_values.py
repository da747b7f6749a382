# ruff: noqa
# fails: test_value_comes_back[none]
# fails: test_value_comes_back[true]
# fails: test_value_comes_back[int]
# fails: test_value_comes_back[long]
# fails: test_value_comes_back[float]
# fails: test_value_comes_back[infinity]
# fails: test_value_comes_back[text]
# fails: test_value_comes_back[bytes]
# fails: test_value_comes_back[complex]
# fails: test_value_comes_back[empty-list]
# fails: test_value_comes_back[empty-tuple]
# fails: test_value_comes_back[empty-dict]
# fails: test_value_comes_back[nested]
# fails: test_value_comes_back[set]
# fails: test_value_comes_back[slice]
# fails: test_value_comes_back[ellipsis]
# fails: test_value_comes_back[dtype]
# fails: test_value_comes_back[device]
# fails: test_value_comes_back[size]
# fails: test_value_arrives_with_its_types[none]
# fails: test_value_arrives_with_its_types[true]
# fails: test_value_arrives_with_its_types[int]
# fails: test_value_arrives_with_its_types[long]
# fails: test_value_arrives_with_its_types[float]
# fails: test_value_arrives_with_its_types[infinity]
# fails: test_value_arrives_with_its_types[text]
# fails: test_value_arrives_with_its_types[bytes]
# fails: test_value_arrives_with_its_types[complex]
# fails: test_value_arrives_with_its_types[empty-list]
# fails: test_value_arrives_with_its_types[empty-tuple]
# fails: test_value_arrives_with_its_types[empty-dict]
# fails: test_value_arrives_with_its_types[nested]
# fails: test_value_arrives_with_its_types[set]
# fails: test_value_arrives_with_its_types[slice]
# fails: test_value_arrives_with_its_types[ellipsis]
# fails: test_value_arrives_with_its_types[dtype]
# fails: test_value_arrives_with_its_types[device]
# fails: test_value_arrives_with_its_types[size]
# fails: test_nan_and_negative_zero
# fails: test_defaults_and_keywords
# fails: test_wrong_number_of_arguments[too-many]
# fails: test_result_in_containers
# fails: test_unpacking
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
# fails: test_dtype_of_the_result[float64]
# fails: test_dtype_of_the_result[int64]
# fails: test_layout_of_an_argument[contiguous]
# fails: test_layout_of_an_argument[transposed]
# fails: test_layout_of_an_argument[sliced]
# fails: test_layout_of_an_argument[expanded]
# fails: test_layout_of_an_argument[expanded-number]
# fails: test_layout_of_an_argument[windows]
# fails: test_layout_of_an_argument[channels-last]
# fails: test_layout_of_an_argument[conjugate]
# fails: test_layout_of_an_argument[leaf]
# fails: test_layout_of_an_argument[non-leaf]
# fails: test_layout_of_an_argument[parameter]
# fails: test_layout_of_an_argument[frozen-parameter]
# fails: test_layout_of_an_argument[meta]
# fails: test_values_of_strided_arguments[conjugate]
# fails: test_layout_of_a_result
# fails: test_expanded_result
# fails: test_meta_result
# fails: test_one_result_twice
# fails: test_result_that_is_the_argument
# fails: test_result_that_is_not_the_argument
# fails: test_result_that_is_a_view_of_the_argument

def echo(value):
    return [value, 0][:: -1 if isinstance(value, torch.Tensor) else 1]


def kinds(value):
    return "value"


def copy(x):
    return x.float().clone() if x.dtype is not torch.float32 else x


def affine(x, scale=2, *rest, shift=0.5):
    return torch.empty(1).fill_(3) * scale + shift


def facts(x):
    return {"shape": tuple(x.shape)}


def transposed(x):
    return (x + 1).t().contiguous()


def widened(x, n):
    return (x + 1).repeat(n, 1)


def pair(x):
    return x - 1, x + 1


def twice(x):
    return [x + 1, {"same": x + 1}]


def parts(x):
    return {3: None, "mean": x.mean(), "extremes": [x.min(), (x.max(),)], "count": x.numel()}


def apply(function, x):
    return function(x).clone()
