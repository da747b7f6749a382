"""Runs tests.py as a pytest session. The tests are collected once and then run in forked children, with one report per test."""

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

from grader.inside.judge.expected_exceptions import note_expectations
from grader.inside.judge.explain import explain
from grader.testing.plugin import JudgePlugin, JudgingContext

_BLOCKED = (
    "cacheprovider debugging doctest faulthandler junitxml legacypath logging pastebin setuponly setupplan stepwise "
    "threadexception unraisableexception capture subtests skipping"
).split()
Report = dict[str, Any]


class Suite:
    """A collected tests.py. Raises ValueError if it cannot be collected."""

    def __init__(self, source: str, folder: Path) -> None:
        path = folder / "tests.py"
        path.write_text(source, encoding="utf-8")
        # The zygote's rehearsal has imported another module of the name `tests`, which must not be used here.
        sys.modules.pop("tests", None)
        note_expectations()
        self._plugin = JudgePlugin()
        self._session = _collect(path, [self._plugin])
        self._items = {_id(item): item for item in self._session.items}
        self._plain = {name: _kit_fixtures(item, self._plugin) for name, item in self._items.items()}

    def describe(self) -> list[dict[str, Any]]:
        """Describe every test, with the data that tests.lock contains."""
        return [_describe(name, item) for name, item in self._items.items()]

    def run(self, ids: Iterable[str], present: JudgingContext, report: Callable[[Report], object]) -> None:
        """Run the tests with these ids in this order, and report the result of each. Skips ids that do not exist."""
        self._plugin.present = present
        chosen = [name for name in ids if name in self._items]
        items = [self._items[name] for name in chosen]
        for name, item, following in zip(chosen, items, [*items[1:], None], strict=True):
            present.exhibits = type(present.exhibits)()
            started = time.monotonic()
            values = _parameters(item) | self._plugin.fixture_values(self._plain[name], name)
            outcome = _outcome(_run_test(item, following, values), sample=_is(item, "sample"))
            seconds = time.monotonic() - started
            report({"id": name, "seconds": seconds, "exhibits": present.exhibits.records, **outcome})


def _kit_fixtures(item: pytest.Item, plugin: JudgePlugin) -> list[str]:
    """Return the names of the test kit's fixtures that a test uses. The kit is grader.testing. Returns an empty list if the
    test also uses a fixture from elsewhere.

    The values of the returned fixtures are set without pytest. If a fixture from elsewhere uses a fixture of the kit, both the
    test and that fixture must get the same object, so pytest has to set up all fixtures of the test.
    """
    about: Any = getattr(item, "_fixtureinfo", None)
    if about is None or "request" in about.argnames:
        return []
    last = {name: definitions[-1] for name, definitions in about.name2fixturedefs.items()}
    others = {name: d for name, d in last.items() if not isinstance(d, DirectParamFixtureDef)}
    if any(getattr(definition.func, "__self__", None) is not plugin for definition in others.values()):
        return []
    return list(others)


def _parameters(item: pytest.Item) -> dict[str, Any]:
    """Return the values of a test's parameters that are not passed on to a fixture (`indirect` of pytest.mark.parametrize).
    Pytest would set up a fixture for each of them.
    """
    about: Any = getattr(item, "_fixtureinfo", None)
    call: Any = getattr(item, "callspec", None)
    if about is None or call is None:
        return {}
    direct = {name for name, found in about.name2fixturedefs.items() if isinstance(found[-1], DirectParamFixtureDef)}
    return {name: value for name, value in call.params.items() if name in direct}


def _run_test(item: pytest.Item, following: pytest.Item | None, values: dict[str, Any]) -> BaseException | None:
    """Set up a test's fixtures, run the test, and tear down the fixtures that the next test does not need. Returns the first
    exception, or None.

    This replaces pytest's own way of running a test. Pytest reports each phase to each plugin, which takes three times as long
    as the setup and teardown of an ordinary test.
    """
    function: Any = item
    if not function._request:  # every run of the test clears `_request`, and the test may run more than once
        function._initrequest()
    function.funcargs.update(values)
    state = item.session._setupstate
    comparing = explained(item)  # installs the hook that explains a failed `assert a == b`
    next(comparing)
    error: BaseException | None = None
    try:
        with _filters(item):
            state.setup(item)
            item.runtest()
    except (pytest.exit.Exception, KeyboardInterrupt):
        raise  # raised by the test or the grader, not because of the answer
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
    """Apply the filters of a test's `filterwarnings` marks."""
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
    """Remove the terminal reporter, which pytest needs only during its configuration."""
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
    return {"passed": True} if error is None else {"passed": False, **explain(error, sample=sample)}
