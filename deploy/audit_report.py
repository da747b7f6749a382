"""Reads a report of pip-audit or npm audit from standard input, and prints the known vulnerabilities.

Exit codes: 0 if no vulnerability is known, 1 if some are known, 3 if none is known but some packages could not be checked. Both
tools may report «no vulnerabilities» although they could not reach the advisory service. So a package counts as checked only if
the report shows that the advisory service has answered for it.
"""

import json
import sys
from typing import Any


def python(report: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Read a report of pip-audit. Returns the vulnerabilities, and the packages that were not checked."""
    packages = report["dependencies"]
    holes = [
        f"{package['name']} {package['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version yet'}"
        for package in packages
        for hole in package.get("vulns", [])
    ]
    return holes, [package["name"] for package in packages if "skip_reason" in package]


def node(report: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Read a report of npm audit. Returns the same as `python`; npm audit checks either all packages or none."""
    if "vulnerabilities" not in report:
        return [], ["all packages of npm"]
    return [f"{name}: {hole['severity']}" for name, hole in report["vulnerabilities"].items()], []


def main() -> int:
    """Read the report, print the results, and return the exit code."""
    try:
        holes, unasked = {"python": python, "node": node}[sys.argv[1]](json.load(sys.stdin))
    except (ValueError, KeyError):
        print("== audit: the advisory service could not be reached, or did not answer; see var/audit.log")
        return 3
    for hole in holes:
        print(f"== audit: HOLE {hole}")
    if unasked:
        told = ", ".join(unasked[:5]) + (f" and {len(unasked) - 5} more" if len(unasked) > 5 else "")
        print(f"== audit: the advisory service knows nothing of {told} (is a mirror or a proxy in between?)")
    return 1 if holes else 3 if unasked else 0


if __name__ == "__main__":
    sys.exit(main())
