"""tests.py as a pytest session that is collected once and run in forked children, one report per test."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion import pytest_runtest_protocol as explained
from _pytest.config import _prepareconfig
from _pytest.main import Session as PytestSession
from _pytest.python import DirectParamFixtureDef
from _pytest.warnings import catch_warnings_for_item

from grader.inside.remote_errors import BadReply, CellGone, RemoteError, UnsupportedResult
from grader.testing.checks import CheckFailed
from grader.testing.plugin import JudgePlugin, Present
from grader.wire import WireError

_BLOCKED = (
    "cacheprovider debugging doctest faulthandler junitxml legacypath logging pastebin setuponly setupplan stepwise "
    "threadexception unraisableexception capture subtests skipping"
).split()
MAX_MESSAGE = 2000
Report = dict[str, Any]


class Suite:
    """A collected tests.py. Raises ValueError when it cannot be collected."""

    def __init__(self, source: str, folder: Path) -> None:
        path = folder / "tests.py"
        path.write_text(source, encoding="utf-8")
        # The rehearsal in the zygote has left a module of this name behind.
        sys.modules.pop("tests", None)
        self._plugin = JudgePlugin()
        self._session = _collect(path, [self._plugin])
        self._items = {_id(item): item for item in self._session.items}
        self._plain = {name: _plainly(item, self._plugin) for name, item in self._items.items()}

    def describe(self) -> list[dict[str, Any]]:
        """Every test as tests.lock lists it."""
        return [_describe(name, item) for name, item in self._items.items()]

    def run(self, ids: Iterable[str], present: Present, report: Callable[[Report], object]) -> None:
        """Run the named tests in this order; one report each, also for a test that does not exist."""
        self._plugin.present = present
        chosen = [name for name in ids if name in self._items]
        items = [self._items[name] for name in chosen]
        for name, item, following in zip(chosen, items, [*items[1:], None], strict=True):
            present.exhibits = type(present.exhibits)()
            started = time.monotonic()
            values = self._plugin.hand_out(self._plain[name], name)
            outcome = _outcome(_error_of(item, following, values), sample=_is(item, "sample"))
            seconds = time.monotonic() - started
            report({"id": name, "seconds": seconds, "exhibits": present.exhibits.records, **outcome})


def _plainly(item: pytest.Item, plugin: JudgePlugin) -> list[str]:
    """The fixtures of the kit that a test asks for, if it asks for no others: one of its own may share the kit's with it."""
    about: Any = getattr(item, "_fixtureinfo", None)
    if about is None or "request" in about.argnames:
        return []
    last = {name: definitions[-1] for name, definitions in about.name2fixturedefs.items()}
    others = {name: d for name, d in last.items() if not isinstance(d, DirectParamFixtureDef)}
    if any(getattr(definition.func, "__self__", None) is not plugin for definition in others.values()):
        return []
    return list(others)


def _error_of(item: pytest.Item, following: pytest.Item | None, values: dict[str, Any]) -> BaseException | None:
    """Set up a test's fixtures, run it, tear down what the following one does not need; the first exception, if any.

    What pytest's own protocol does for a test, without the reports that it makes of each phase and sends past every plugin:
    they take three times as long as an ordinary test's setting up and tearing down.
    """
    function: Any = item
    if not function._request:  # it has run before, in a rehearsal
        function._initrequest()
    function.funcargs.update(values)
    state = item.session._setupstate
    comparing = explained(item)  # `assert a == b` explains itself by a hook that this installs
    next(comparing)
    error: BaseException | None = None
    try:
        with _filters(item):
            state.setup(item)
            item.runtest()
    except (pytest.exit.Exception, KeyboardInterrupt):
        raise  # the author's doing, or ours: no answer is to blame
    except BaseException as raised:
        error = raised
    try:
        state.teardown_exact(following)
    except BaseException as raised:
        error = error or raised
    comparing.close()
    function._request, function.funcargs = False, None
    return error


def _filters(item: pytest.Item) -> AbstractContextManager[None]:
    """The warning filters that a test's marks ask for."""
    if item.get_closest_marker("filterwarnings") is None:
        return nullcontext()
    return catch_warnings_for_item(item.config, item.ihook, when="runtest", item=item)


def _collect(path: Path, plugins: list[Any]) -> PytestSession:
    arguments = ["-c", os.devnull, "--rootdir", str(path.parent), "--confcutdir", str(path.parent)]
    arguments += ["--noconftest", "--import-mode=importlib"]
    arguments += ["--strict-markers", "-q", *(f"-pno:{name}" for name in _BLOCKED), str(path)]
    with open(os.devnull, "w") as silence:
        shown, sys.stdout = sys.stdout, silence
        try:
            config = _prepareconfig(arguments, plugins)
            config._do_configure()
            session = PytestSession.from_config(config)
            config.hook.pytest_sessionstart(session=session)
            config.hook.pytest_collection(session=session)
        finally:
            sys.stdout = shown
    if session.testsfailed or not session.items:
        raise ValueError(f"tests.py cannot be collected: {_collection_error(session)}")
    _silence(config)
    return session


def _silence(config: pytest.Config) -> None:
    """The terminal reporter is needed to configure pytest and of no use afterwards."""
    for name in ("terminalreporter",):
        with suppress(ValueError, AssertionError):
            config.pluginmanager.unregister(name=name)


def _collection_error(session: PytestSession) -> str:
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    errors = reporter.stats.get("error", []) if reporter else []
    return str(errors[0].longrepr)[-1500:] if errors else "it defines no test"


def _id(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[2]


def _is(item: pytest.Item, mark: str) -> bool:
    return item.get_closest_marker(mark) is not None


def _describe(name: str, item: pytest.Item) -> dict[str, Any]:
    points = item.get_closest_marker("points")
    function: Any = getattr(item, "function", None)
    title = (function.__doc__ or "").strip().partition("\n")[0] or name
    return {
        "id": name,
        "title": title,
        "points": points.args[0] if points else 1,
        "sample": _is(item, "sample"),
        "attested": _is(item, "attested"),
    }


def _outcome(error: BaseException | None, *, sample: bool) -> Report:
    return {"passed": True} if error is None else {"passed": False, **_explain(error, sample=sample)}


def _explain(error: BaseException, *, sample: bool) -> Report:
    """Why a test failed, in words that are safe for the candidate; samples may show everything."""
    if isinstance(error, UnsupportedResult):
        return {"verdict": "WA", "message": f"{error} ({error.detail})" if sample else str(error)}
    if isinstance(error, CheckFailed):
        return {"verdict": "WA", "message": str(error)[:MAX_MESSAGE]}
    if isinstance(error, RemoteError):
        return _explain_remote(error, sample=sample)
    if isinstance(error, BadReply | WireError):
        return {"verdict": "RE", "message": "the answer's process sent something that is not a reply"}
    if isinstance(error, CellGone):
        return {"verdict": "RE", "message": "the answer's process ended"}
    if isinstance(error, AssertionError):
        return {"verdict": "WA", "message": str(error)[:MAX_MESSAGE] if sample else ""}
    return _unexpected(error, sample=sample)


def _explain_remote(error: RemoteError, *, sample: bool) -> Report:
    verdict = "MLE" if error.family == "MemoryError" else "RE"
    place = f" in line {error.line} of your code" if error.line else ""
    message = f"{error.text}\n{error.trace}".strip() if sample else f"{error.family}{place}"
    return {"verdict": verdict, "message": message[:MAX_MESSAGE], "line": error.line}


def _unexpected(error: BaseException, *, sample: bool) -> Report:
    """The test itself fell over what came back: wrong for the candidate, and an alarm for the author."""
    message = "the test could not use what the answer returned"
    alarm = f"{type(error).__name__}: {error}"[:MAX_MESSAGE]
    return {"verdict": "WA", "message": f"{message} ({alarm})" if sample else message, "alarm": alarm}
