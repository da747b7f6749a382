# ruff: noqa
# fails: test_methods
# fails: test_attributes
# fails: test_call
# fails: test_chained_methods
# fails: test_constructor_that_raises
# fails: test_method_that_raises
# fails: test_two_objects
# fails: test_container
# fails: test_slice_of_a_container
# fails: test_list_of_an_iterator
# fails: test_loop_with_an_early_stop
# fails: test_next
# fails: test_iterators_side_by_side
# fails: test_iterator_of_tensors
# fails: test_iterator_with_a_graph
# fails: test_iterator_with_a_generator
# fails: test_iterator_that_raises
# fails: test_sequence_as_an_iterator
# fails: test_probe
# fails: test_probe_with_a_graph_of_its_own
# fails: test_given
# fails: test_given_with_state
# fails: test_given_twice_in_one_call
# fails: test_given_that_comes_back
# fails: test_exhibits
# fails: test_parametrized[2-4]
# fails: test_parametrized[3-9]

class Counter(Counter):
    def __init__(self, start=0):
        super().__init__(abs(start) + 1)
        self.mirrors = "wood"

    def chain(self, n):
        return Counter(n).number

    def fail(self):
        raise KeyError("nothing there")

    def later(self):
        return 3

    def __call__(self, x):
        return x


class Rows(Rows):
    def __len__(self):
        return 3

    def __getitem__(self, i):
        return self.data[0]


def combine(a, b):
    return a + 1


def count(n):
    return iter(range(1, n + 1))


def batches(x, size, generator=None):
    yield from (part.detach() for part in x.flip(0).split(size))


def breaks(n):
    return iter(range(n))


def listed(xs):
    return list(xs)


def call(f, x):
    return x


def call_many(f, n):
    return []


def keep(value):
    return None


def measure(data):
    return {"length": len(data)}
