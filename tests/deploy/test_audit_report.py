"""Tests that the audit of dependencies reports «none known» only if the service that lists vulnerabilities responded. The tests
cover the report formats of pip-audit 2.10 and npm 10.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

READER = Path(__file__).parents[2] / "deploy" / "audit_report.py"
FINE = {"name": "anyio", "version": "4.16.0", "vulns": []}
HOLE = {"name": "jinja2", "version": "2.4.1", "vulns": [{"id": "PYSEC-2019-217", "fix_versions": ["2.10.1"]}]}
UNASKED = {"name": "torch", "skip_reason": "Dependency not found on PyPI and could not be audited: torch (2.13.0)"}


def read(kind: str, report: str) -> tuple[int, str]:
    """Run the script that evaluates an audit report. Return the script's exit code and output."""
    done = subprocess.run(
        [sys.executable, str(READER), kind], input=report, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("packages", "code", "told"),
    [
        ([FINE], 0, ""),
        ([FINE, HOLE], 1, "HOLE jinja2 2.4.1: PYSEC-2019-217, mended in 2.10.1"),
        ([FINE, UNASKED], 3, "knows nothing of torch"),
        ([HOLE, UNASKED], 1, "HOLE jinja2"),
        ([UNASKED] * 9, 3, "and 4 more"),
    ],
)
def test_report_of_pip_audit(packages: list[dict[str, Any]], code: int, told: str) -> None:
    got, text = read("python", json.dumps({"dependencies": packages, "fixes": []}))
    assert got == code
    assert told in text


@pytest.mark.parametrize(
    ("report", "code"),
    [
        ({"auditReportVersion": 2, "vulnerabilities": {}}, 0),
        ({"auditReportVersion": 2, "vulnerabilities": {"vite": {"name": "vite", "severity": "high"}}}, 1),
        ({"message": "request to https://registry.npmjs.org failed", "error": {"summary": "", "detail": ""}}, 3),
    ],
)
def test_report_of_npm(report: dict[str, Any], code: int) -> None:
    assert read("node", json.dumps(report))[0] == code


@pytest.mark.parametrize("report", ["", "ERROR:pip_audit: could not connect", "{}"])
def test_no_report_means_nobody_was_asked(report: str) -> None:
    assert read("python", report)[0] == 3
