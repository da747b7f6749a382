"""Runs authors' snippets in a cell, as scratch jobs. A scratch job runs code without tests. A snippet is the code of an
example, a pitfall, a predict question or a simulation.

What a snippet prints or raises is returned as data. Authors' code could harm this machine, so it runs in the same isolation as
candidates' code.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from grader.content.package import Info, Lock, Package
from grader.contract.errors import PackageError
from grader.contract.job import Kind, Limits
from grader.judging.workbench import Workbench, a_job

PREAMBLE = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
MARK = "gradus-results:"
RUNNER = """
import contextlib as _contextlib, io as _io, json as _json, warnings as _warnings

_warnings.simplefilter("ignore")
_results = []
for _block in _json.loads({blocks!r}):
    _scope = globals() if _block["shared"] else dict(globals())
    _printed, _raised, _said, _value = _io.StringIO(), "", "", None
    _before = torch.get_rng_state()
    with _contextlib.redirect_stdout(_printed):
        try:
            exec(compile(_block["code"], "example", "exec"), _scope)
            _value = eval(_block["value"], _scope) if _block["value"] else None
        except Exception as _error:
            _raised, _said = type(_error).__name__, str(_error)
    _drew = not torch.equal(_before, torch.get_rng_state())
    _results.append([_printed.getvalue(), _raised, _said, _value, _drew])
    if not _block["shared"]:
        _scope.clear()  # functions and classes refer to their namespace, which would otherwise stay in memory until the end
print({mark!r} + _json.dumps(_results))
"""
# Maps the property for which a predict question asks to the expression that computes the key (right answer).
KEY_EXPRESSIONS = {"shape": "list(({of}).shape)", "dtype": "str(({of}).dtype)", "value": "repr(({of}))", "error": ""}


@dataclass(frozen=True)
class Snippet:
    """Code to run. `value` is an expression to evaluate after the code, or empty. Snippets with `shared` use one namespace, so
    each can use the names that earlier ones defined.
    """

    code: str
    value: str = ""
    shared: bool = False


@dataclass(frozen=True)
class SnippetResult:
    """The result of a snippet: the text that it printed, the name (`raised`) and the message (`said`) of the exception that it
    raised, the value of its expression, and whether it changed the state of torch's random generator (`drew`).
    """

    printed: str
    raised: str
    said: str
    value: object
    drew: bool

    @property
    def output(self) -> str:
        """The output to write below an example: the text that the example printed, and a line with the exception if it raised
        one.
        """
        tail = f"{self.raised}: {self.said}".rstrip(": ") + "\n" if self.raised else ""
        return self.printed + tail


def bare_package(name: str) -> Package:
    """Make a package for jobs that run a topic's snippets. It has no entries and no tests."""
    info = Info(
        title=name,
        summary="",
        section="",
        difficulty="easy",
        topics=(),
        minutes=1,
        why="",
        skill="",
        hints=(),
        entry=(),
        limits=Limits(cpu_s_per_call=10.0, cpu_s=20.0, memory_mb=1024, output_kb=256),
    )
    return Package(name, f"topic-{name}", info, "", PREAMBLE, "", Lock(()), "", "", "", ())


def run(bench: Workbench, package: Package, source: str, snippets: list[Snippet], where: Path) -> list[SnippetResult]:
    """Run `source` and then the snippets, in order, in one process. Raises `PackageError` if this process ended before it had
    run all snippets. `where` is the file that the error's message names.
    """
    if not snippets:
        return []
    blocks = json.dumps([{"code": each.code, "value": each.value, "shared": each.shared} for each in snippets])
    job = a_job(package, source, Kind.SCRATCH, snippet=RUNNER.format(blocks=blocks, mark=MARK))
    judgement = bench.judge(job, package)
    _, mark, tail = judgement.output.rpartition(MARK)
    if not mark:
        told = judgement.message or (judgement.compile_error.message if judgement.compile_error else judgement.output)
        raise PackageError(f"{where}: the snippets did not run to the end: {judgement.verdict or ''} {told[-500:]}")
    return [SnippetResult(*each) for each in json.loads(tail.splitlines()[0])]
