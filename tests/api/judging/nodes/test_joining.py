"""Tests `gradus node` as operators use it, with torch and cells, and with a service that it reaches through nats-server."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.judging.nodes.remote_rig import place
from tests.live import ROOT

pytestmark = pytest.mark.anyio
WRONG = "def add_one(x):\n    return x + 2\n"


def command(*more: str) -> list[str]:
    return [sys.executable, "-m", "grader.node.joining", "--cells", "process", "--slots", "1", *more]


async def test_a_machine_joins_with_one_token_judges_and_drains(home: Path) -> None:
    async with place(home, lease_s=30) as at:
        given = {"GRADUS_NODE_TOKEN": await at.token("cpu-1"), "GRADUS_NODE_URL": at.server.open_url}
        node = subprocess.Popen(
            command("--data", str(home / "node")),
            cwd=ROOT,
            env={**os.environ, **given},
            stdout=subprocess.PIPE,
            text=True,
        )
        at.nodes.append(node)
        await at.until(lambda: at.size("cpu-1"))
        ada, admin = await at.service.person(), await at.service.admin()
        right, wrong = await ada.send(), await ada.send(source=WRONG)
        for sent, verdict in ((right, "AC"), (wrong, "WA")):
            told = await at.judged(ada, sent["id"])
            assert (told["verdict"], told["attempt"]) == (verdict, 1)
            assert len(told["tests"]) == 3
        seen = (await admin.http.get("/api/admin/nodes")).json()["items"][0]
        assert seen["judged"] == 2
        assert {"torch", "memory", "processor", "cores", "gradus", "wire"} <= seen["versions"].keys()
        assert [path.stem for path in (home / "node" / "packages").iterdir()], "packages are kept there"
        node.send_signal(signal.SIGTERM)
        assert (await at.ended(node))[0] == 0
        await at.until(lambda: not at.service.state.dispatcher.nodes.all())


@pytest.mark.parametrize(
    ("given", "says"),
    [(["--token", "x"], "not a node's token"), (["--token", "gradus-node.a.SU"], "not a node's token")],
)
def test_what_is_no_token_is_said_at_once(home: Path, given: list[str], says: str) -> None:
    told = subprocess.run(
        command("--url", "nats://127.0.0.1:1", "--data", str(home), *given),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, says in told.stderr) == (2, True)
