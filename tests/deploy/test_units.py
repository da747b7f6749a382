"""Tests the systemd units, the Caddyfile and the compose file. The programs that these files start must exist. If systemd,
Caddy and Compose are installed, they must accept the files.
"""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from api.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
MACHINES = sorted((DEPLOY / "cloud-init").iterdir())


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a program that checks a file. Return its exit code and output."""
    return subprocess.run(command, cwd=DEPLOY, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_what_a_unit_starts_is_there(unit: Path) -> None:
    text = unit.read_text()
    commands = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["gradus.commands"]
    for command in re.findall(r"\.venv/bin/gradus (\w+)", text):
        assert command in commands, command
    for path in re.findall(r"/opt/gradus/(deploy/[\w./-]+)", text):
        assert (ROOT / path).is_file(), path


@pytest.mark.parametrize("machine", MACHINES, ids=lambda path: path.name)
def test_what_a_fresh_machine_does_is_there_to_be_done(machine: Path) -> None:
    text = machine.read_text()
    told = yaml.safe_load(text)
    assert text.startswith("#cloud-config\n")
    # cloud-init joins the commands under `runcmd` to one script, and runs it with sh.
    script = "\n".join(told["runcmd"])
    assert subprocess.run(["sh", "-n"], input=script, text=True, check=False).returncode == 0
    for path in re.findall(r"/opt/gradus/(deploy/[\w./-]+)", script):
        assert (ROOT / path).is_file(), path
    written = {file["path"] for file in told["write_files"]}
    assert set(re.findall(r"/etc/gradus/[\w.]+", script)) <= written
    assert all(file["permissions"] == "0600" for file in told["write_files"])


def test_every_setting_that_a_file_names_exists() -> None:
    own = {
        "GRADUS_NAME",
        "GRADUS_UPSTREAMS",
        "GRADUS_API_IMAGE",
        "GRADUS_PROXIES",
        "GRADUS_NODE_URL",
        "GRADUS_NODE_TOKEN",
        "GRADUS_NODE_DEVICE",
    }
    settings = {f"GRADUS_{name.upper()}" for name in Settings.model_fields}
    files = [*UNITS, DEPLOY / "compose.yaml", DEPLOY / "env.example", DEPLOY / "Caddyfile", DEPLOY / "Dockerfile.api"]
    for path in (*files, ROOT / "docs/runbook.md", *MACHINES):
        named = set(re.findall(r"\bGRADUS_[A-Z_]*[A-Z]\b", path.read_text()))
        assert sorted(named - settings - own) == [], path.name


def test_bash_reads_the_settings_of_the_runbook_as_systemd_does(tmp_path: Path) -> None:
    text = (ROOT / "docs/runbook.md").read_text()
    block = re.search(r"```sh\n(# /etc/gradus/api.env.*?)```", text, re.S)
    assert block is not None
    (tmp_path / "api.env").write_text(block[1])
    told = run("env", "-i", "bash", "-euc", f"set -a; source {tmp_path}/api.env; /usr/bin/env")
    assert told.stderr == ""
    # systemd removes one pair of quotes around a value, so these pairs are what systemd reads. Bash must read the same values.
    pairs = [line.partition("=") for line in block[1].splitlines() if line.startswith("GRADUS_")]
    assert {name + "=" + value.strip('"') for name, _, value in pairs} <= set(told.stdout.splitlines())


def test_every_link_of_the_runbook_leads_somewhere() -> None:
    text = (ROOT / "docs/runbook.md").read_text()
    titles = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^##+ (.*)$", text, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= titles


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_units_from_any_checkout(tmp_path: Path) -> None:
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    for deploy in (DEPLOY, tmp_path / "deploy"):
        told = run("bash", str(deploy / "verify-units.sh"))
        assert (told.returncode, told.stdout, told.stderr) == (0, "", "")
    unit = tmp_path / "deploy/systemd/gradus-api@.service"
    unit.write_text(unit.read_text() + "[Service]\nRestartt=always\n")
    told = run("bash", str(tmp_path / "deploy/verify-units.sh"))
    assert told.returncode == 1
    assert "Restartt" in told.stderr


def test_a_python_of_roots_own_is_not_taken_for_a_service() -> None:
    """Every command that runs setup.sh or venv.sh must set PYTHON to a Python that all accounts can read. With a Python that
    only root can read, the systemd units fail with «permission denied».
    """
    for path in (ROOT / "docs/runbook.md", *MACHINES):
        for line in path.read_text().splitlines():
            assert not re.search(r"(?<!PYTHON=/usr/bin/python3 )bash (/opt/gradus/)?deploy/(venv|setup)\.sh", line), (
                line
            )


def test_the_folder_of_backups_is_there_before_the_first_one() -> None:
    made = re.search(r"^StateDirectory=(.*)$", (DEPLOY / "systemd/gradus-api@.service").read_text(), re.M)
    assert made is not None
    for folder in re.findall(r"/var/lib/(gradus/[a-z]+)/gradus-", (ROOT / "docs/runbook.md").read_text()):
        assert folder in made[1].split()


def test_the_service_has_one_name_at_nats() -> None:
    files = (DEPLOY / "compose.yaml", ROOT / "docs/runbook.md", ROOT / "docs/nodes.md")
    names = {name for path in files for name in re.findall(r"(?:nats|tls)://(\w+):", path.read_text())}
    assert names == {"service"}


@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed")
def test_caddy_takes_its_file() -> None:
    told = run("caddy", "validate", "--config", "Caddyfile", "--adapter", "caddyfile")
    assert told.returncode == 0, told.stderr


COMPOSE = [command for command in (["docker", "compose"], ["docker-compose"]) if shutil.which(command[0])]


@pytest.mark.parametrize("compose", COMPOSE, ids=" ".join)
def test_compose_takes_its_file(compose: list[str], tmp_path: Path) -> None:
    """Each installed version of Compose (2 as `docker compose`, 1 as `docker-compose`) must accept the file."""
    if run(*compose, "version").returncode:
        pytest.skip(f"{' '.join(compose)} is not installed")
    given = tmp_path / "env"
    given.write_text((DEPLOY / "env.example").read_text().replace("PASSWORD=\n", "PASSWORD=word\n"))
    told = run(*compose, "--env-file", str(given), "-f", "compose.yaml", "config", "-q")
    assert told.returncode == 0, told.stderr


@pytest.mark.skipif(shutil.which("apparmor_parser") is None, reason="apparmor_parser is not installed")
def test_apparmor_takes_the_profile_of_cells() -> None:
    """Parsers before 4.0 do not know the rule `userns`, so deploy/apparmor.sh leaves it out for them."""
    text = (DEPLOY / "apparmor/gradus-cell").read_text()
    variants = (text, text.replace("  userns,\n", ""))
    told = [
        subprocess.run(
            ["apparmor_parser", "--skip-kernel-load", "--skip-cache", "--abort-on-error"],
            input=each,
            capture_output=True,
            text=True,
            check=False,
        )
        for each in variants
    ]
    assert told[1].returncode == 0, told[1].stderr
    assert told[0].returncode == 0 or "line 11: syntax error" in told[0].stderr, told[0].stderr
