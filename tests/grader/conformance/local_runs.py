"""Runs the tests of a challenge folder locally, once for each answer: `python local_runs.py FOLDER ANSWER.py…`.

Prints JSON of the form {answer: {test id: null or the reason of the failure}}. Runs the answers through `grader.gate.local.run`
one after another in this process, so that torch is imported only once.
"""

import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from grader.gate.local.run import main


def outcomes(folder: str, answer: str) -> dict[str, str | None]:
    """Run the tests for one answer. Return for each test the reason of its failure, or None if it passed. The outcomes are read
    from pytest's JUnit report.
    """
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.xml"
        with open(os.devnull, "w") as silence, contextlib.redirect_stdout(silence):
            main([folder, answer, "-q", f"--junitxml={report}"])
        cases = ElementTree.parse(report).iter("testcase")
        return {case.attrib["name"]: _failure(case) for case in cases}


def _failure(case: ElementTree.Element) -> str | None:
    found = (child for child in case if child.tag in ("failure", "error", "skipped"))
    return next((f"{child.tag}: {child.attrib.get('message', '')}"[:500] for child in found), None)


if __name__ == "__main__":
    print(json.dumps({answer: outcomes(sys.argv[1], answer) for answer in sys.argv[2:]}))
