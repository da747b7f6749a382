"""Records real conversations as seeds for the fuzzer: `python -m tests.fuzz.record`."""

import base64
import json
from pathlib import Path
from typing import Any

import msgspec

from grader.content.package import Lock, load
from grader.contract.wire import HEADER, MAGIC, NO_CALL, Frame, Kind
from grader.gate.lock import collected
from grader.judging import candidate_turns
from grader.judging.workbench import a_job, workbench
from tests.fuzz.targets import CONVERSATIONS

HERE = Path(__file__).parent
PACKAGES = HERE.parent / "grader/conformance/package"
OUT = HERE / "conversations.jsonl"
LARGEST = 1000
TURNS = 6
KINDS = {Kind.LOADED, Kind.REPLY, Kind.CALLBACK}


def wire_form(frame: Frame) -> bytes:
    """Return the bytes of a frame as it was sent, but with NO_CALL in place of its call id."""
    head = HEADER.pack(MAGIC, frame.kind, NO_CALL, len(frame.tree), len(frame.blob))
    return head + bytes(frame.tree) + bytes(frame.blob)


def shape(data: bytes) -> str:
    """Return a text that is the same for similar frames. It names the kind of the frame, the keys of its JSON tree that have a
    value, and the tags: all texts in the tree of at most three characters.
    """
    tree: Any = json.loads(data[HEADER.size : HEADER.size + HEADER.unpack(data[: HEADER.size])[3]] or b"null")
    keys = sorted(key for key, value in tree.items() if value not in ([], None)) if isinstance(tree, dict) else []
    tags = sorted({word for word in json.dumps(tree).split('"')[1::2] if len(word) <= 3})
    return f"{data[4]} {keys} {tags}"


def heard() -> list[bytes]:
    """Judge the answers of the conformance packages. Return the frames that cells sent and whose kind is in KINDS. Frames
    larger than LARGEST bytes are left out.
    """
    frames: list[bytes] = []
    take = candidate_turns.CandidateTurns._take

    def taken(self: candidate_turns.CandidateTurns, *given: Any) -> Any:
        frame = take(self, *given)
        if isinstance(frame, Frame) and frame.kind in KINDS and frame.size <= LARGEST:
            frames.append(wire_form(frame))
        return frame

    candidate_turns.CandidateTurns._take = taken  # type: ignore[method-assign,assignment]
    with workbench("process", slots=1) as bench:
        for folder in sorted(PACKAGES.iterdir()):
            package = load(folder, locked=False)
            package = msgspec.structs.replace(package, lock=Lock(collected(bench, package)))
            answers = [
                *folder.glob("submissions/accepted/*.py"),
                *(HERE.parent / "grader/conformance/wrong").rglob("*.py"),
            ]
            for answer in [path for path in answers if folder.name in path.parts]:
                bench.judge(a_job(package, answer.read_text()), package)
    return frames


def main() -> None:
    """Write one input for each shape: a frame of this shape and the frames that followed it. Each input starts with the number
    of a kind of conversation, and these numbers take turns.
    """
    frames = heard()
    found: dict[str, int] = {}
    for number, frame in enumerate(frames):
        found.setdefault(shape(frame), number)
    rows = []
    for place, number in enumerate(found.values()):
        data = bytes([place % len(CONVERSATIONS)]) + b"".join(frames[number : number + TURNS])
        rows.append(json.dumps(base64.b64encode(data).decode()))
    OUT.write_text("\n".join(rows) + "\n")
    print(f"{len(frames):,} frames were heard, {len(rows)} kinds of them are kept in {OUT.name}")


if __name__ == "__main__":
    main()
