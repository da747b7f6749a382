"""`attest` in the judge: the cell makes the call unobserved and observed; both results must agree (law 1)."""

from typing import Any

from grader.inside.remote_calls import RemoteFunction, call_with_reply
from grader.inside.remote_objects import RemoteObject
from grader.inside.replies import suspicion
from grader.inside.session import Session
from grader.testing.observation import Observation, expect_same_result, observation


class RemoteAttest:
    """`attest(f, *args)` observes the call, `attest.backward(f, *args)` its backward pass."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __call__(self, f: Any, *args: Any, **kwargs: Any) -> Observation:
        """Observe f(*args, **kwargs). Raises CheckFailed when observing changes the result."""
        return self._observe("forward", f, args, kwargs)

    def backward(self, f: Any, *args: Any, **kwargs: Any) -> Observation:
        """Observe the backward pass of f's outputs, with ones coming in, by the arguments that require grad."""
        return self._observe("backward", f, args, kwargs)

    def _observe(self, what: str, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Observation:
        function = f._gradus_method("__call__") if isinstance(f, RemoteObject) else f
        if not isinstance(function, RemoteFunction):
            raise TypeError("attest() takes a function, object or method of the answer")
        value, reply = call_with_reply(self._session, function._gradus_to, args, kwargs, observe=what)
        with suspicion():
            seen = dict(reply.tree["seen"])
            watched = reply.decoder.decode(seen.pop("value"))
            observed = observation(value, seen)
        expect_same_result(watched, value)
        return observed
