"""Reads a report of pip-audit or npm audit from standard input: exit code 0 nothing known, 1 holes, 3 not all was asked.

Both tools can say «no vulnerabilities» after asking nobody, so only a package that was answered for counts.
"""

import json
import sys
from typing import Any


def python(report: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Holes, and packages that nobody answered for."""
    packages = report["dependencies"]
    holes = [
        f"{package['name']} {package['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version yet'}"
        for package in packages
        for hole in package.get("vulns", [])
    ]
    return holes, [package["name"] for package in packages if "skip_reason" in package]


def node(report: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The same for npm, which answers for all packages or for none."""
    if "vulnerabilities" not in report:
        return [], ["all packages of npm"]
    return [f"{name}: {hole['severity']}" for name, hole in report["vulnerabilities"].items()], []


def main() -> int:
    """Say what the report says."""
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
