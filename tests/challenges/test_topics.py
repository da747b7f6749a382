"""Tests the topics and tracks of the catalogue. The examples print what the page says, the answer keys of quizzes match what
the snippets print, and every name refers to something that exists.
"""

import tomllib
from pathlib import Path

import pytest

from grader.content import topic, track
from grader.content.package import find
from grader.content.quizzes.quiz import Predict
from grader.gate.pages.check import check_topic
from grader.gate.trials.cache import Cache
from grader.judging.workbench import Workbench

ROOT = Path(__file__).resolve().parents[2] / "challenges"
FOLDERS = topic.find(ROOT)
TRACKS = track.find(ROOT)
TOPICS = {folder.name for folder in FOLDERS}
EACH = pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])


@pytest.mark.docker
@EACH
def test_topic_holds_what_it_claims(docker_bench: Workbench, folder: Path) -> None:
    """The topic must do what its page and its quiz claim. A topic that the gate has proven with the current test kit is not
    checked again.
    """
    assert Cache().proven(folder, "topic") or check_topic(docker_bench, folder) == []


@EACH
def test_page_and_quiz_are_written(folder: Path) -> None:
    read = topic.load(folder)
    assert len(read.page.split()) >= 350
    assert read.quiz is not None
    assert len(read.quiz.questions) >= 5
    assert any(isinstance(question, Predict) for question in read.quiz.questions)


@EACH
def test_what_a_topic_names_is_there(folder: Path) -> None:
    slugs = {place.name for place in find(ROOT)}
    assert set(topic.load(folder).info.challenges) <= slugs


def test_every_challenge_belongs_to_a_topic() -> None:
    named = {slug for folder in FOLDERS for slug in topic.load(folder).info.challenges}
    assert {place.name for place in find(ROOT)} == named


@pytest.mark.parametrize("path", TRACKS, ids=[path.stem for path in TRACKS])
def test_track_names_topics_that_are_there(path: Path) -> None:
    read = track.load(path)
    assert set(read.topics) <= TOPICS
    assert set(read.info.prerequisites) <= {other.stem for other in TRACKS} - {path.stem}


def test_titles_are_given_once() -> None:
    titles = [tomllib.loads((folder / "topic.toml").read_text())["title"] for folder in FOLDERS]
    assert len(set(titles)) == len(titles)
