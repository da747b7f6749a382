"""Hidden tests that use callbacks. A callback is a function of the test that the answer calls. The tests check the values and
autograd graphs that pass through it, all kinds of errors, and that nested calls are refused.
"""

import pytest
import torch

from grader.testing import CheckFailed, assert_close, check, sample

pytestmark = sample

# ------------------------------------------------------------------------------------------------ callbacks


def test_callback(solution):
    assert solution.call(lambda x: 2 * x, torch.ones(2)).tolist() == [2, 2]
    assert solution.call(lambda x: {"got": [x, None]}, 3) == {"got": [3, None]}


def test_callback_is_called_each_time(solution):
    seen = []
    assert solution.call_many(lambda i: seen.append(i) or i * i, 4) == [0, 1, 4, 9]
    assert seen == [0, 1, 2, 3]


def test_callback_with_state_of_the_test(solution):
    class Total:
        value = 0

        def add(self, n):
            self.value += n
            return self.value

    total = Total()
    assert solution.call_many(total.add, 3) == [0, 1, 3]
    assert total.value == 3


def test_error_in_a_callback(solution):
    def fails(x):
        raise ValueError("of the test")

    with pytest.raises(ValueError, match=r"^of the test$"):
        solution.call(fails, 1)


def test_error_in_a_callback_is_the_same_object(solution):
    class Mine(Exception):
        pass

    raised = Mine("mine")

    def fails(x):
        raise raised

    with pytest.raises(Mine) as caught:
        solution.call(fails, 1)
    assert caught.value is raised


def test_error_in_a_callback_that_the_answer_catches(solution):
    def fails():
        raise ValueError("of the test")

    assert solution.forgive(fails) == "forgiven"


def test_check_in_a_callback(solution):
    with pytest.raises(CheckFailed, match="too large"):
        solution.call(lambda x: check(x < 3, "too large"), 3)


def test_callback_that_calls_the_answer(solution):
    assert solution.call(lambda x: solution.combine(x, x), 3) == 9


def test_after_a_callback_that_called_the_answer(solution):
    with pytest.raises(RuntimeError, match="from inside a function"):
        solution.call(lambda x: solution.combine(x, x), 3)
    assert solution.combine(2, 3) == 6


def test_callback_with_a_graph(solution):
    x = torch.tensor([1.0, 2.0])
    assert_close(solution.descend(lambda t: (t * t).sum(), x, 0.25), x / 2)


def test_loss_of_torch(solution):
    x = torch.tensor([1.0, 2.0])
    assert_close(solution.descend(torch.sum, x, 1.0), x - 1)


def test_callback_that_raises_stop_iteration(solution):
    with pytest.raises(StopIteration):
        solution.call(lambda x: next(iter([])), 1)
