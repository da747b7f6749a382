"""Hidden tests about what surrounds a call: autograd modes, seeds, errors and warnings. Also tests about values that cannot be
sent.
"""

import builtins
import random

import numpy as np
import pytest
import torch

from grader.testing import assert_close, assert_deterministic, check, sample

pytestmark = sample

# ------------------------------------------------------------------------------------------------ modes and settings


def test_surroundings(solution):
    assert solution.surroundings() == {"grad": True, "inference": False, "autocast": None, "default": torch.float32}


def test_no_grad(solution):
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert solution.surroundings()["grad"] is False
        assert not solution.copy(x).requires_grad
    assert solution.copy(x).requires_grad


def test_inference_mode(solution):
    with torch.inference_mode():
        assert solution.surroundings()["inference"] is True
        assert solution.copy(torch.ones(2)).is_inference()


def test_autocast(solution):
    a = torch.ones(2, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert solution.surroundings()["autocast"] is torch.bfloat16
        assert solution.product(a, a).dtype is torch.bfloat16
    assert solution.product(a, a).dtype is torch.float32


def test_default_dtype(solution):
    torch.set_default_dtype(torch.float64)
    try:
        assert solution.ones(2).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert solution.ones(2).dtype is torch.float32


# ------------------------------------------------------------------------------------------------ randomness


def test_seeded_calls_repeat(solution):
    torch.manual_seed(3)
    first, second = solution.noise(4), solution.noise(4)
    torch.manual_seed(3)
    assert torch.equal(solution.noise(4), first)
    assert torch.equal(solution.noise(4), second)
    assert not torch.equal(first, second)


def test_other_seeds_give_other_draws(solution):
    torch.manual_seed(3)
    first = solution.noise(4)
    torch.manual_seed(4)
    assert not torch.equal(solution.noise(4), first)


@pytest.mark.parametrize("library", ["random", "numpy"])
def test_other_libraries_repeat(solution, library):
    def seed():
        random.seed(5) if library == "random" else np.random.seed(5)

    seed()
    first, second = solution.dice(3, library), solution.dice(3, library)
    seed()
    assert solution.dice(3, library) == first
    assert first != second


def test_a_call_without_draws_leaves_the_generator(solution):
    before = torch.get_rng_state()
    solution.copy(torch.ones(2))
    assert torch.equal(torch.get_rng_state(), before)
    solution.noise(1)
    assert not torch.equal(torch.get_rng_state(), before)


def test_deterministic(solution):
    assert_deterministic(solution.noise, 3)


def test_generator_comes_back_advanced(solution):
    generator, other = torch.Generator().manual_seed(1), torch.Generator().manual_seed(1)
    first, second = solution.draw(3, generator), solution.draw(3, generator)
    assert torch.equal(first, torch.randn(3, generator=other))
    assert torch.equal(second, torch.randn(3, generator=other))
    assert torch.equal(generator.get_state(), other.get_state())


# ------------------------------------------------------------------------------------------------ errors and warnings

FAMILY = {
    name: getattr(builtins, name)
    for name in (
        "AssertionError AttributeError IndexError KeyError LookupError NotImplementedError OverflowError RecursionError "
        "RuntimeError TypeError ValueError ZeroDivisionError ArithmeticError NameError OSError TimeoutError MemoryError"
    ).split()
} | {"own": ValueError, "stop": StopIteration}


@pytest.mark.parametrize("name", FAMILY)
def test_error_of_the_family(solution, name):
    with pytest.raises(FAMILY[name]) as caught:
        solution.fail(name)
    assert not isinstance(caught.value, Warning)
    assert isinstance(caught.value, LookupError) == (name in ("IndexError", "KeyError", "LookupError"))


def test_text_of_an_error(solution):
    with pytest.raises(ValueError, match=r"^it is told so$") as caught:
        solution.fail("ValueError")
    assert str(caught.value) == "it is told so"
    with pytest.raises(KeyError) as caught:
        solution.fail("KeyError")
    assert str(caught.value) == "'it is told so'"


def test_error_of_a_check(solution):
    with pytest.raises(IndexError, match=r"axis 2 of a tensor with 1 dim"):
        solution.checked(torch.ones(2), axis=2)
    assert solution.checked(torch.ones(2), axis=0) == 2


def test_error_of_torch(solution):
    with pytest.raises(RuntimeError, match="shape"):
        solution.product(torch.ones(2, 3), torch.ones(2, 3))


@pytest.mark.parametrize("name", ["user", "deprecated", "own"])
def test_warning(solution, name):
    category = {"user": UserWarning, "deprecated": DeprecationWarning, "own": FutureWarning}[name]
    with pytest.warns(category, match="old way"):
        assert solution.warn(name) == name


def test_no_warning(solution, recwarn):
    solution.copy(torch.ones(1))
    assert not recwarn.list


@pytest.mark.filterwarnings("error")
def test_warning_as_an_error(solution):
    with pytest.raises(UserWarning):
        solution.warn("user")


def test_warning_before_an_error(solution):
    torch.manual_seed(1)
    before = torch.get_rng_state()
    with pytest.warns(UserWarning, match="end well"), pytest.raises(RuntimeError, match="it did not"):
        solution.warn_and_fail()
    assert not torch.equal(torch.get_rng_state(), before)


# ------------------------------------------------------------------------------------------------ the kit


@pytest.fixture
def three(rng):
    return rng.randn(3)


def test_fixture(solution, three, reference):
    check(torch.equal(solution.affine(three, 2), reference.affine(three, 2)), "not twice as much")


def test_function_of_torch_as_an_argument(solution):
    assert solution.apply(torch.sum, torch.ones(3)) == 3
    assert_close(solution.apply(torch.nn.functional.relu, torch.tensor([-1.0, 1.0])), torch.tensor([0.0, 1.0]))


def test_answer_as_an_argument(solution):
    assert solution.apply(solution.copy, torch.ones(2)).tolist() == [1, 1]


# ------------------------------------------------------------------------------------------------ values that cannot be sent

REFUSED = {
    "subclass": "a subclass of torch.Tensor",
    "numpy": "a NumPy value",
    "numpy scalar": "a NumPy value",
    "module": "a module",
    "function": "a function",
    "generator": "a generator",
    "coroutine": "a coroutine",
    "huge int": "an integer that is too large",
    "deep": "a value nested too deeply",
    "sparse": "a tensor that is not dense",
    "bool subclass": "a subclass of int",
    "str subclass": "a subclass of str",
    "float subclass": "a subclass of float",
    "named tuple": "a subclass of tuple",
    "dict subclass": "a subclass of dict",
    "object": "an object of another type",
    "class": "an object of another type",
    "range": "an object of another type",
}


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize("what", REFUSED)
def test_result_is_refused(solution, what):
    with pytest.raises(AssertionError, match=f"the answer returned {REFUSED[what]}"):
        solution.odd(what)


def test_ordered_dict_is_a_dict(solution):
    assert solution.odd("ordered") == {"a": 1}


def test_return_type_of_torch_is_a_tuple(solution):
    values, indices = solution.odd("return type")
    assert (values.tolist(), indices.tolist()) == ([1, 1], [0, 0])


def test_return_type_of_torch_has_names(solution):
    assert solution.odd("return type").indices.tolist() == [0, 0]


SENT = {
    "numpy": lambda: np.ones(2),
    "module": lambda: torch.nn.ReLU(),
    "class": lambda: torch.nn.ReLU,
    "sparse": lambda: torch.eye(2).to_sparse(),
    "subclass": lambda: torch.ones(2).as_subclass(type("Tagged", (torch.Tensor,), {})),
    "object": lambda: object(),
}


@pytest.mark.parametrize("what", SENT)
def test_argument_is_refused(solution, what):
    with pytest.raises(TypeError, match="cannot be sent"):
        solution.echo(SENT[what]())


@pytest.mark.parametrize("name", ["undeclared", "_gradus_session"])
def test_missing_name(solution, name):
    with pytest.raises(AttributeError):
        getattr(solution, name)


def test_undeclared_name(solution):
    with pytest.raises(AttributeError, match="declares"):
        solution.Point


def test_surface_cannot_be_written_to(solution):
    with pytest.raises(AttributeError, match="declares"):
        solution.extra = 3
