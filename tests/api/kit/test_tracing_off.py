"""Tests that the service works without tracing: if tracing is not configured, if spans cannot be exported, and if a node does
not support tracing.
"""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from api.kit import tracing
from api.settings import ConfigurationError, Settings
from grader.contract import transport
from grader.contract.job import Job
from tests.api.running_service import settings_in


@pytest.fixture(autouse=True)
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the variables that turn tracing on."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")


def test_off_nothing_that_writes_traces_is_imported() -> None:
    names = ("opentelemetry.sdk", "opentelemetry.exporter", "google.protobuf")
    code = f"import sys, api.cli, grader.node.joining; print([m for m in sys.modules if m.startswith({names})])"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout == "[]\n"


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    tracing.check(settings_in(home))
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'gradus\[otel\]'"):
        tracing.check(settings_in(home))
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    tracing.check(settings_in(home))


@pytest.mark.parametrize(
    ("name", "value"),
    [("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")],
)
def test_what_cannot_work_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, home: Path, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match="OTEL_"):
        Settings().check()


def test_a_node_from_before_there_were_traces_reads_an_offer_and_a_new_one_reads_an_old_offer() -> None:
    class Offer(msgspec.Struct, frozen=True, tag="offer"):
        job: Job
        short: bool
        checksum: str = ""

    job = Job("1", "2", "submit", "add-one", "d", source="", owner="", seed=1)  # type: ignore[arg-type]
    new = transport.Offer(job, short=True, trace="00-" + "a" * 52)
    assert msgspec.json.decode(transport.body(new), type=Offer).checksum == ""
    old = transport.all_to_node(b"[" + msgspec.json.encode(Offer(job, short=True)) + b"]")
    assert old == [transport.Offer(msgspec.structs.replace(job), short=True)]
