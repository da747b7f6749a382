"""Tests that the dashboard and the alerts use only metrics that the service exports, and that every alert says what to do."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.judging.nodes import tokens
from grader.contract import transport
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import NO_TLS, WITHIN_S, running, settings_in
from tests.api.test_cli import free_port

ROOT = Path(__file__).parents[3]
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
DASHBOARD = ROOT / "deploy/grafana/gradus.json"
NAMES = re.compile(r"\b(?:gradus|process)_[a-z_]+\b")
SELECTORS = re.compile(r"\b(gradus_[a-z_]+)\{([^}]*)\}")


def queries() -> Iterator[str]:
    """Yield every query of the dashboard and the condition of every alert."""
    for line in ALERTS.read_text().splitlines():
        if line.strip().startswith("expr: "):
            yield line.strip().removeprefix("expr: ")
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        yield from (target["expr"] for target in panel.get("targets", []))


def rules() -> list[dict[str, str]]:
    """Return the fields of each alert, such as its name, summary and runbook page."""
    found: list[dict[str, str]] = []
    for line in ALERTS.read_text().splitlines():
        name, _, value = line.strip().removeprefix("- ").partition(": ")
        if name == "alert":
            found.append({"alert": value})
        elif found:
            found[-1][name] = value
    return found


@pytest.fixture
async def told(home: Path) -> str:
    """The metrics that a real service exports."""
    write_challenge(home / "challenges")
    port = free_port()
    async with running(settings_in(home, metrics_port=port)) as service:
        async with service.state.db.write() as session:
            # A node that has a token but has never connected is listed by its name.
            await tokens.make(session, "cpu-1")
        await service.client().get("/api/health")
        node = await service.node()
        # A node has no speed until it has measured itself and reported the result.
        await node.say(transport.Heartbeat((), speed=1.0))
        async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client, asyncio.timeout(WITHIN_S):
            while "\ngradus_nodes_slowest{" not in (
                found := (await client.get(f"http://127.0.0.1:{port}/metrics")).text
            ):
                await asyncio.sleep(0.05)
            return found


@pytest.mark.anyio
async def test_every_figure_that_is_asked_for_exists(told: str) -> None:
    samples = {re.split(r"[{ ]", line)[0] for line in told.splitlines() if line and line[0] != "#"}
    asked = {name for query in queries() for name in NAMES.findall(query)}
    assert len(asked) > 20
    assert sorted(asked - samples) == []
    for name, selectors in {pair for query in queries() for pair in SELECTORS.findall(query)}:
        for label, value in re.findall(r'(\w+)="([^"]*)"', selectors):
            assert re.search(rf'^{name}\{{[^}}]*{label}="{re.escape(value)}"', told, re.MULTILINE) or value.startswith(
                "/"
            )


def test_every_alert_says_what_happened_how_urgent_it_is_and_what_to_do() -> None:
    runbook = (ROOT / "docs/runbook.md").read_text()
    assert len(rules()) > 10
    for rule in rules():
        assert rule["labels"] in ("{severity: page}", "{severity: ticket}"), rule
        assert rule["summary"]
        assert rule["runbook"] == f"docs/runbook.md#{rule['alert'].lower()}"
        assert f"\n### {rule['alert']}\n" in runbook, rule
    named = re.findall(r"^### (Gradus\w+)$", runbook, re.MULTILINE)
    assert sorted(named) == sorted(rule["alert"] for rule in rules())


def test_panels_have_titles_and_no_place_twice() -> None:
    panels: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken
        assert panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed (Debian: prometheus)")
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "rules", "alerts.yml"),
        ("check", "config", "prometheus.yml"),
        ("test", "rules", str(ROOT / "tests/deploy/alerts.yml")),
    ],
    ids=" ".join,
)
def test_prometheus_takes_the_files(arguments: tuple[str, ...]) -> None:
    told = subprocess.run(
        ["promtool", *arguments], cwd=ALERTS.parent, capture_output=True, text=True, check=False, timeout=60
    )
    assert told.returncode == 0, told.stdout + told.stderr
