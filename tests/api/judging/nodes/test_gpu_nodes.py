"""Tests `gradus node --device cuda` on a machine without a GPU, or with a GPU that its torch cannot use. The node joins but
gets no jobs, and both sides report why. Submissions for a GPU keep waiting.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from api.judging.dispatch.connected_nodes import NOT_NOW
from tests.api.challenge_folders import write_for_both
from tests.api.judging.nodes.remote_rig import Place, place
from tests.grader.hosts.gpu_rig import Driver, gpu
from tests.live import ROOT

pytestmark = pytest.mark.anyio


def start(at: Place, token: str, *more: str, **environment: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "grader.node.joining", "--cells", "process", "--device", "cuda", *more]
    given = {"GRADUS_NODE_TOKEN": token, "GRADUS_NODE_URL": at.server.open_url, **environment}
    told = [*command, "--data", str(at.home / "node")]
    node = subprocess.Popen(
        told, cwd=ROOT, env={**os.environ, **given}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    at.nodes.append(node)
    return node


async def said(at: Place, node: "subprocess.Popen[str]") -> str:
    """Send SIGTERM to a node and wait until it has ended. Return its output."""
    node.send_signal(signal.SIGTERM)
    await at.until(lambda: node.poll() is not None)
    assert node.returncode == 0
    assert node.stdout is not None
    return node.stdout.read()


async def test_a_node_without_a_gpu_judges_nothing_and_both_sides_say_why(home: Path) -> None:
    write_for_both(home / "challenges")
    driver = Driver(home / "driver.json")
    driver.says(problem="Driver Not Loaded")
    async with place(home) as at:
        ada, admin = await at.service.person(), await at.service.admin()
        sent = await ada.send("on-both", device="cuda")
        node = start(at, await at.token("gpu-1"), **driver.environment)
        nodes = at.service.state.dispatcher.nodes
        await at.until(lambda: "Driver Not Loaded" in str(nodes.reason("cuda")))
        (seen,) = (await admin.http.get("/api/admin/nodes")).json()["items"]
        assert (seen["device"], seen["gpus"], seen["judging"]) == ("cuda", [], 0)
        assert seen["reason"].startswith("no GPU was found on this machine (Driver Not Loaded).")
        waits = (await ada.get(sent["id"]))["queue"]
        assert waits["reason"] == NOT_NOW
        told = await said(at, node)
        assert "no GPU was found on this machine (Driver Not Loaded)" in told


async def test_a_node_whose_torch_cannot_use_its_gpu_fails_its_self_test(home: Path) -> None:
    write_for_both(home / "challenges")
    driver = Driver(home / "driver.json")
    driver.says(gpu())
    async with place(home) as at:
        ada, admin = await at.service.person(), await at.service.admin()
        sent = await ada.send("on-both", device="cuda")
        # The simulated driver reports a GPU that does not exist, so that no cell can use it, even if this machine has a GPU.
        node = start(at, await at.token("gpu-1"), "--gpus", gpu()["id"], **driver.environment)
        nodes = at.service.state.dispatcher.nodes
        await at.until(lambda: "self-test failed" in str(nodes.reason("cuda")))
        (seen,) = (await admin.http.get("/api/admin/nodes")).json()["items"]
        assert seen["gpus"] == ["Test GPU, 24 GiB, GPU-00000000"]
        assert (seen["slots"], seen["judged"], seen["versions"]["driver"]) == ({"any": 1, "short": 0}, 0, "580.1")
        why = "on cuda, a child could make no context on its GPU: "
        assert f"Its self-test failed: {why}" in seen["reason"]
        assert "(can its cells reach the GPU, and is their torch built for CUDA?)" in seen["reason"]
        assert (await ada.get(sent["id"]))["status"] == "queued"
        told = await said(at, node)
        assert f"the self-test failed: {why}" in told


@pytest.mark.parametrize("more", [["--device", "tpu"], ["--device", "cpu", "--gpus", "GPU-1"]])
def test_devices_that_cannot_be_are_refused_at_once(more: list[str]) -> None:
    command = [sys.executable, "-m", "grader.node.joining", "--url", "nats://127.0.0.1:1", *more]
    token = "gradus-node.gpu-1.SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
    told = subprocess.run([*command, "--token", token], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (told.returncode, "--device is cpu or cuda" in told.stderr) == (2, True)
