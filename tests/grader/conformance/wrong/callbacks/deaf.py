# ruff: noqa
# fails: test_callback
# fails: test_callback_is_called_each_time
# fails: test_callback_with_state_of_the_test
# fails: test_error_in_a_callback
# fails: test_error_in_a_callback_is_the_same_object
# fails: test_error_in_a_callback_that_the_answer_catches
# fails: test_check_in_a_callback
# fails: test_callback_with_a_graph
# fails: test_loss_of_torch
# fails: test_callback_that_raises_stop_iteration

def combine(a, b):
    return a


def call(f, x):
    try:
        return f(x)[0]
    except BaseException:
        return None


def call_many(f, n):
    return [f(0) for _ in range(n)]


def forgive(f):
    return f()


def descend(loss, x, rate):
    return x
