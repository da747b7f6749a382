"""The fixture `attest`, with which a test observes a call in the cell, for example which operators the call runs. The cell
makes the call twice, first without and then with observation, and the two results must agree.
"""

from typing import Any

from grader.inside.judge.remote.calls import RemoteFunction, call_with_reply
from grader.inside.judge.remote.objects import RemoteObject
from grader.inside.judge.remote.replies import untrusted_reply
from grader.inside.judge.remote.session import Session
from grader.testing.observation import Observation, expect_same_result, observation


class RemoteAttest:
    """Observes calls: `attest(f, *args)` observes a forward call, `attest.backward(f, *args)` the backward pass of a call."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __call__(self, f: Any, *args: Any, **kwargs: Any) -> Observation:
        """Observe f(*args, **kwargs). Raises CheckFailed if observing changes the result."""
        return self._observe("forward", f, args, kwargs)

    def backward(self, f: Any, *args: Any, **kwargs: Any) -> Observation:
        """Observe the backward pass of f(*args, **kwargs), with ones as the gradients of its outputs. Gradients are computed
        for the arguments that require grad.
        """
        return self._observe("backward", f, args, kwargs)

    def _observe(self, what: str, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Observation:
        function = f._gradus_method("__call__") if isinstance(f, RemoteObject) else f
        if not isinstance(function, RemoteFunction):
            raise TypeError("attest() takes a function, object or method of the answer")
        value, reply = call_with_reply(self._session, function._gradus_to, args, kwargs, observe=what)
        with untrusted_reply():
            seen = dict(reply.tree["seen"])
            watched = reply.decoder.decode(seen.pop("value"))
            observed = observation(value, seen)
        expect_same_result(watched, value)
        return observed
