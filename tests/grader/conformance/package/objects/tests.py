"""Hidden tests that use objects, iterators, probes, classes of given.py, and exhibits."""

import pytest
import torch

from grader.testing import CheckFailed, assert_close, points, sample

pytestmark = sample


@pytest.fixture
def counter(solution):
    return solution.Counter(5)


# ------------------------------------------------------------------------------------------------ objects


def test_methods(counter):
    assert counter.add() is None
    counter.add(2)
    counter.add(3, twice=True)
    assert counter.total() == 14


def test_attributes(counter):
    assert counter.number == 5
    assert counter.mirrors == "glass"
    counter.add(1)
    assert counter.history == [5, 6]
    assert counter.state.tolist() == [1, 1]


def test_call(counter):
    assert counter(torch.ones(2)).tolist() == [6, 6]


def test_chained_methods(counter):
    assert counter.chain(1) is counter
    assert counter.chain(1).chain(2).total() == 9


def test_constructor_that_raises(solution):
    with pytest.raises(ValueError, match="negative"):
        solution.Counter(-1)


def test_method_that_raises(counter):
    with pytest.raises(IndexError, match="nothing there"):
        counter.fail()
    assert counter.total() == 5


def test_two_objects(solution):
    first, second = solution.Counter(1), solution.Counter(2)
    first.add(1)
    assert (first.total(), second.total()) == (2, 2)
    assert first is not second


def test_missing_names(counter):
    with pytest.raises(AttributeError):
        counter.reset()


def test_undeclared_dunder(counter):
    with pytest.raises(TypeError):
        len(counter)


def test_undeclared_attribute(solution):
    with pytest.raises(AttributeError, match="declares"):
        solution.Plain(1).x


def test_writing_to_an_attribute(counter):
    with pytest.raises(AttributeError, match="declares"):
        counter.number = 3


def test_method_that_returns_a_function(counter):
    with pytest.raises(CheckFailed, match="the answer returned a function"):
        counter.later()


def test_container(solution):
    rows = solution.Rows([torch.zeros(2), torch.ones(2)])
    assert len(rows) == 2
    assert rows[1].tolist() == [1, 1]
    assert rows[-1].tolist() == [1, 1]
    rows[0] = torch.full((2,), 3.0)
    assert [row.tolist() for row in rows] == [[3, 3], [1, 1]]
    assert torch.ones(2) in rows
    assert torch.full((2,), 9.0) not in rows
    with pytest.raises(IndexError):
        rows[2]


def test_slice_of_a_container(solution):
    rows = solution.Rows(list(torch.arange(4.0)))
    assert torch.stack(rows[1:3]).tolist() == [1, 2]


def test_object_shares_what_it_was_given(solution):
    x = torch.ones(2)
    box = solution.Box(x)
    x.zero_()
    assert box.get().tolist() == [0, 0]


def test_attribute_is_the_object_s_own(counter):
    counter.state.fill_(5)
    assert counter.state.tolist() == [5, 5]


def test_object_keeps_its_argument(solution):
    data = [torch.ones(2)]
    rows = solution.Rows(data)
    data[0].zero_()
    assert rows[0].tolist() == [1, 1]


# ------------------------------------------------------------------------------------------------ iterators


def test_list_of_an_iterator(solution):
    assert list(solution.count(3)) == [0, 1, 2]
    assert list(solution.count(0)) == []


def test_loop_with_an_early_stop(solution):
    seen = []
    for i in solution.count(1_000_000):
        seen.append(i)
        if i == 2:
            break
    assert seen == [0, 1, 2]


def test_next(solution):
    numbers = solution.count(1)
    assert next(numbers) == 0
    with pytest.raises(StopIteration):
        next(numbers)
    assert next(numbers, "over") == "over"


def test_iterators_side_by_side(solution):
    assert list(zip(solution.count(3), solution.count(2), strict=False)) == [(0, 0), (1, 1)]


def test_iterator_of_tensors(solution):
    parts = list(solution.batches(torch.arange(5), 2))
    assert [part.tolist() for part in parts] == [[0, 1], [2, 3], [4]]


def test_iterator_with_a_graph(solution):
    x = torch.ones(4, requires_grad=True)
    first, second = solution.batches(x * 3, 2)
    (first.sum() + 2 * second.sum()).backward()
    assert x.grad.tolist() == [3, 3, 6, 6]


def test_iterator_with_a_generator(solution):
    generator, twin = torch.Generator().manual_seed(4), torch.Generator().manual_seed(4)
    first = torch.cat(list(solution.batches(torch.arange(6), 4, generator=generator)))
    assert torch.equal(first, torch.randperm(6, generator=twin))
    assert torch.equal(generator.get_state(), twin.get_state())


def test_iterator_that_raises(solution):
    numbers = solution.breaks(2)
    assert (next(numbers), next(numbers)) == (0, 1)
    with pytest.raises(ValueError, match="in the middle"):
        next(numbers)


def test_sequence_as_an_iterator(solution):
    assert list(solution.listed([1, 2])) == [2, 4]


# ------------------------------------------------------------------------------------------------ probes, classes of given.py


def test_probe(solution, probes, reference):
    assert probes.add_up([1, 2, 3]) == 6
    assert probes.on(reference).add_up([1, 2, 3]) == 6
    assert probes.parts(5) == [(0, 1), (2, 3), (4,)]


def test_probe_with_a_graph_of_its_own(probes):
    assert probes.gradient(torch.tensor([1.0, 2.0])).tolist() == [2, 4]


def test_probe_that_raises(probes):
    with pytest.raises(ValueError, match="the probe's own"):
        probes.fails()


@pytest.mark.parametrize("name", ["missing", "constant", "_private"])
def test_unknown_probe(probes, name):
    with pytest.raises(AttributeError, match="no function"):
        getattr(probes, name)


def test_given(solution, given):
    assert solution.measure(given.Data(4, scale=2.0)) == {"length": 4, "type": "Data", "sum": 12}


def test_given_with_state(solution, given):
    spy = given.Spy()
    spy(1)
    assert solution.call(spy, 2) == 2
    assert spy.seen == [1, 2]


def test_given_twice_in_one_call(solution, given):
    spy = given.Spy()
    solution.call_many(spy, 2)
    solution.call(spy, 5)
    assert spy.seen == [0, 1, 5]


def test_given_that_comes_back(solution, given, counter):
    data = given.Data(2)
    assert solution.keep(data) is data
    assert solution.keep([data, counter])[1] is counter


def test_given_without_a_state_is_changed(solution, given):
    data = given.Data(3)
    solution.sort(data)
    assert data[0] == 2


def test_new_given_as_a_result(solution, given):
    with pytest.raises(CheckFailed, match="an object of another type"):
        solution.make_data(2)


# ------------------------------------------------------------------------------------------------ other parts of the kit


@points(3)
def test_exhibits(solution, exhibit):
    actual = solution.combine(torch.ones(2), torch.ones(2))
    exhibit.difference("product", actual, torch.ones(2))
    exhibit.curve("steps", {"yours": list(solution.count(3))}, x_label="step", y_label="i")
    exhibit.heatmap("map", actual.reshape(1, 2), "x", "y")
    assert_close(actual, torch.ones(2))


@pytest.mark.parametrize(("n", "square"), [(2, 4), (3, 9)])
def test_parametrized(solution, n, square):
    assert solution.combine(n, n) == square
