"""Checks the gate's cache: a result must be reused exactly as long as nothing on which it depends has changed."""

from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from msgspec.structs import replace

from grader.content import proof
from grader.content.authoring.finding import Finding
from grader.gate.report.record import MutantResult, Record, SaboteurResult, overall
from grader.gate.trials import cache as module
from grader.gate.trials.cache import Cache, digest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "doubling"
    (made / "submissions" / "wa").mkdir(parents=True)
    (made / "tests.py").write_text("1")
    (made / "submissions" / "wa" / "a.py").write_text("2")
    return made


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "cache"


RECORD = Record(
    "doubling",
    tests=12,
    milliseconds=(3,) * 12,
    mutants=(MutantResult("a-1", "a", 2, "-x\n+y", "killed", "test_a"),),
    seconds=3.0,
)


def keep(store: Path, folder: Path, record: Record = RECORD) -> None:
    cache = Cache(store)
    cache.put(cache.key(folder, "challenge"), record)


def known(cache: Cache, folder: Path, kind: str = "challenge") -> Record | None:
    return cache.known(folder, kind, lambda _: "package")


def test_what_was_kept_is_found_and_said_to_be_old(store: Path, folder: Path) -> None:
    assert known(Cache(store), folder) is None
    keep(store, folder)
    found = known(Cache(store), folder)
    assert found is not None
    assert found.cached
    assert found.mutants == RECORD.mutants


@pytest.mark.parametrize("name", ["tests.py", "gate.toml", "submissions/wa/a.py", "submissions/wa/b.py"])
def test_any_file_of_the_folder_counts(store: Path, folder: Path, name: str) -> None:
    keep(store, folder)
    (folder / name).write_text("changed")
    assert known(Cache(store), folder) is None


@pytest.mark.parametrize(
    ("name", "only_texts"), [("statement.md", True), ("editorial.md", True), ("tests.py", False), ("gate.toml", False)]
)
def test_judged_part_counts_as_long_as_only_texts_change(
    store: Path, folder: Path, name: str, only_texts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(store)
    cache.prove(folder, "challenge", cache.key(folder, "challenge"), "package", RECORD)
    (folder / name).write_text("changed")
    assert known(cache, folder) is None
    found = cache.judged(folder, "challenge")
    assert (found is not None) == only_texts
    if found is not None:
        assert (found.tests, found.killed, found.milliseconds) == (RECORD.tests, RECORD.killed, RECORD.milliseconds)
    assert Cache(store, read=False).judged(folder, "challenge") is None
    assert Cache(store, mode="quick").judged(folder, "challenge") is None
    with monkeypatch.context() as patch:
        patch.setattr(module, "kit_digest", lambda: "another kit")
        assert Cache(store).judged(folder, "challenge") is None


def test_what_python_compiles_is_no_part_of_the_kit() -> None:
    assert Path(module.__file__).with_name("run.py") in module.kit_files()
    assert [path for path in module.kit_files() if path.suffix != ".py"] == []


def test_kit_torch_mode_and_kind_count(store: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(store, folder)
    assert known(Cache(store, mode="quick"), folder) is None
    assert known(Cache(store), folder, "topic") is None
    with monkeypatch.context() as patch:
        patch.setattr(module, "torch_version", lambda: "99")
        assert known(Cache(store), folder) is None
    with monkeypatch.context() as patch:
        patch.setattr(module, "kit_digest", lambda: "another kit")
        assert known(Cache(store), folder) is None
    assert known(Cache(store), folder) is not None


def test_all_means_that_nothing_is_read(store: Path, folder: Path) -> None:
    keep(store, folder)
    assert known(Cache(store, read=False), folder) is None


def test_what_has_findings_is_looked_at_again(store: Path, folder: Path) -> None:
    keep(store, folder, Record("doubling", findings=(Finding("tests.py", "…"),)))
    assert known(Cache(store), folder) is None


def test_a_torn_file_is_no_result(store: Path, folder: Path) -> None:
    keep(store, folder)
    for path in store.iterdir():
        path.write_text('{"slug": "doub')
    assert known(Cache(store), folder) is None


def test_names_and_places_of_files_count(tmp_path: Path) -> None:
    for root, name in (("a", "x"), ("b", "y")):
        (tmp_path / root).mkdir()
        (tmp_path / root / name).write_text("same")
    assert digest([tmp_path / "a"]) != digest([tmp_path / "b"])
    before = digest([tmp_path / "a"])
    (tmp_path / "a" / "__pycache__").mkdir()
    (tmp_path / "a" / "__pycache__" / "x.pyc").write_text("compiled")
    assert digest([tmp_path / "a"]) == before


def test_a_folder_is_read_once_to_be_known(store: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(store, folder)
    cache, read = Cache(store), Mock(wraps=digest)
    monkeypatch.setattr(module, "digest", read)
    for _ in ("from what was kept", "from its gate.lock"):
        assert known(cache, folder) is not None
    assert read.call_count == 2
    assert (folder / "gate.lock").exists()


def test_gate_lock_keeps_totals_and_survivors_and_no_line_for_what_was_caught(store: Path, folder: Path) -> None:
    ends = [("a", "rejected"), ("b", "rejected"), ("c", "idle"), ("d", "excused")]
    mutants = [(f"m{number}", "killed") for number in range(50)] + [("alive", "survived"), ("same", "excused")]
    record = Record(
        "doubling",
        tests=12,
        milliseconds=(3,) * 12,
        saboteurs=tuple(SaboteurResult(name, "…", end, "why") for name, end in ends),  # type: ignore[arg-type]
        mutants=tuple(MutantResult(name, "sign", 3, "-x", end, "why") for name, end in mutants),  # type: ignore[arg-type]
    )
    cache = Cache(store)
    cache.prove(folder, "challenge", cache.key(folder, "challenge"), "package", record)
    found = proof.load(folder)
    assert found is not None
    assert (found.saboteurs, found.mutants, found.killed, found.milliseconds) == (2, 51, 50, (3,) * 12)
    read = known(Cache(store), folder)
    assert read is not None
    assert read.milliseconds == record.milliseconds
    assert [item.id for item in read.saboteurs] == ["d"]
    assert [item.id for item in read.mutants] == ["alive", "same"]
    for name in ("applied", "rejected", "made", "killed", "rate"):
        assert getattr(read, name) == getattr(record, name), name
    assert overall([read]) == overall([record])
    written = (folder / "gate.lock").read_bytes()
    assert known(Cache(store), folder) is not None
    assert (folder / "gate.lock").read_bytes() == written


def test_a_lock_with_a_line_for_each_case_is_still_read(store: Path, folder: Path) -> None:
    cache = Cache(store)
    key = cache.key(folder, "challenge")
    cache.prove(folder, "challenge", key, "package", RECORD)
    found = proof.load(folder)
    assert found is not None
    proof.save(folder, replace(found, record=msgspec.Raw(msgspec.json.encode(RECORD))))
    read = known(Cache(store), folder)
    assert read is not None
    assert (read.killed, read.made) == (RECORD.killed, RECORD.made) == (1, 1)
