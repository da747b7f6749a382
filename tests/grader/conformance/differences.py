"""Lists the hidden tests that are allowed to have two different outcomes: one if the answer runs in a cell and the test calls
it through the remote proxy, and another one if the answer runs in the test's own process. Each difference is intended, and its
reason is given.

In addition, the following changes in the test's process have no effect on an answer in a cell: patched functions, hooks of
torch.autograd.graph, dispatch and function modes, `with torch.device(…)`, anomaly mode, thread counts.
"""

from dataclasses import dataclass

CLOSED = "the surface is closed: only what challenge.toml declares can be reached, and nothing can be set"
PLAIN = "only plain data crosses; a result of another type is refused, not turned into a handle"
COPIES = "state of an object is handed out by value; parameters of modules alone are kept in step"
TURN = "one call at a time: an answer that waits for a function of the test cannot serve another call"
ALONE = "an entry that does not declare `mutates` may not change its arguments, and nothing of the attempt comes back"
FUNC = "tensors of torch.func transforms and of forward-mode differentiation have no memory that could be sent"


@dataclass(frozen=True)
class Difference:
    """The expected outcomes of one test with the reference answer, and the reason why they differ.

    `local` says whether the test passes when test and answer run in one process. `remote` is None if the test passes when it
    calls the answer in a cell. Otherwise, `remote` is part of the message of the failure.
    """

    local: bool
    remote: str | None
    reason: str


DIFFERENCES = {
    "calls": {
        "test_result_is_refused": Difference(False, None, PLAIN),
        "test_argument_is_refused": Difference(False, None, PLAIN),
        "test_return_type_of_torch_has_names": Difference(True, "has no `indices`", PLAIN),
        "test_undeclared_name": Difference(False, None, CLOSED),
        "test_surface_cannot_be_written_to": Difference(False, None, CLOSED),
    },
    "values": {"test_undeclared_mutation": Difference(False, None, ALONE)},
    "gradients": {
        "test_function_has_nothing_but_apply": Difference(False, None, CLOSED),
        "test_transforms_of_torch_func[grad]": Difference(True, "cannot be sent to the answer", FUNC),
        "test_transforms_of_torch_func[vmap]": Difference(True, "cannot be sent to the answer", FUNC),
        # When forward mode is first used, torch reads the source of its formulas. That fails in the judge, which has not loaded
        # the source. So the message is another one than for the tests above, and any message is accepted.
        "test_transforms_of_torch_func[jvp]": Difference(True, "", FUNC),
        "test_forward_mode": Difference(True, "", FUNC),
    },
    "states": {
        "test_buffers_are_views_of_the_module": Difference(True, "assert", COPIES),
        "test_state_dict_is_a_view_of_the_module": Difference(True, "assert", COPIES),
        "test_module_is_a_module": Difference(True, "assert", CLOSED),
        "test_undeclared_attribute": Difference(False, None, CLOSED),
        "test_writing_to_an_attribute": Difference(False, None, CLOSED),
    },
    "objects": {
        "test_undeclared_attribute": Difference(False, None, CLOSED),
        "test_writing_to_an_attribute": Difference(False, None, CLOSED),
        "test_method_that_returns_a_function": Difference(False, None, PLAIN),
        "test_new_given_as_a_result": Difference(False, None, PLAIN),
        "test_object_shares_what_it_was_given": Difference(True, "assert", COPIES),
        "test_attribute_is_the_object_s_own": Difference(True, "assert", COPIES),
        "test_given_without_a_state_is_changed": Difference(True, "assert", COPIES),
    },
    "callbacks": {
        "test_callback_that_calls_the_answer": Difference(True, "cannot be called from inside a function", TURN),
        "test_after_a_callback_that_called_the_answer": Difference(False, None, TURN),
    },
}

UNFAILABLE = {
    "calls": {"test_missing_name": "a name that nobody declares is refused whatever the answer defines"},
    "states": {"test_missing_attribute": "a name that nobody declares is refused whatever the answer defines"},
    "objects": {
        "test_missing_names": "a name that nobody declares is refused whatever the answer defines",
        "test_undeclared_dunder": "a name that nobody declares is refused whatever the answer defines",
        "test_unknown_probe": "probes.py is not the answer's",
        "test_probe_that_raises": "probes.py is not the answer's",
        "test_object_keeps_its_argument": "an object never shares memory with the test: the other side of COPIES",
    },
}
"""Tests that no wrong answer can fail through the proxy."""


def difference(package: str, test: str) -> Difference | None:
    """Return the entry for this test id. If there is none, return the entry for the test function without its parameters, or
    None.
    """
    table = DIFFERENCES.get(package, {})
    return table.get(test) or table.get(test.partition("[")[0])
