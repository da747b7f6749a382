"""Creates a small topic and a small track for tests."""

import hashlib
import json
from pathlib import Path

TOPIC = """title = "Adding"
section = "basics"
difficulty = "easy"
purpose = "Add numbers"
why = "Everything else is built on it"
skill = "Care"
answer = "Use the plus sign."
phrasings = ["How does one add?", "What does + do?"]
challenges = [{challenges}]
related = ["not-written-yet"]
review = ["I can add one", "I know what + does"]
[[pitfall]]
title = "Strings"
wrong = "'1' + 1"
raises = "TypeError"
right = "1 + 1"
why = "A string is no number"
[[pitfall]]
title = "Twice"
wrong = "1 + 1 + 1"
right = "1 + 1"
why = "Once is enough"
[[card]]
front = "1 + 1"
back = "2"
[[card]]
front = "2 + 2"
back = "4"
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><path d="M0 360 640 0"/></svg>'
QUIZ = """
[[question]]
id = "pick"
kind = "choice"
prompt = "Which is even?"
explanation = "SECRET-EXPLANATION: two is even"
[[question.option]]
text = "two"
right = true
[[question.option]]
text = "three"
reason = "SECRET-REASON: three is odd"
[[question.option]]
text = "five"
reason = "five is odd"
[[question]]
id = "pick-all"
kind = "choice"
prompt = "Which are odd?"
explanation = "Those with a remainder"
points = 2
[[question.option]]
text = "one"
right = true
[[question.option]]
text = "three!"
right = true
[[question.option]]
text = "four"
reason = "four is even"
[[question]]
id = "pairs"
kind = "match"
prompt = "Which belong together?"
explanation = "They rhyme"
distractors = ["c"]
[[question.pair]]
left = "A"
right = "a"
[[question.pair]]
left = "B"
right = "b"
[[question]]
id = "order"
kind = "order"
prompt = "Count"
explanation = "Upwards"
steps = ["one", "two", "three"]
[[question]]
id = "how-much"
kind = "numeric"
prompt = "How much is 1 + 1?"
explanation = "Two"
value = 2
[[question.slip]]
answer = "11"
reason = "These are numbers, not digits"
[[question]]
id = "shape"
kind = "predict"
code = "y = torch.ones(2, 3).sum(0)"
ask = "shape"
of = "y"
explanation = "The first one goes"
[[question.slip]]
answer = "(2,)"
reason = "That is the other one"
"""
KEYS = {"shape": "(3,)"}


def write_picture(folder: Path, name: str = "curve.svg", svg: str = SVG) -> Path:
    """Write a drawing to the folder of a topic or a challenge. Return its path."""
    (folder / "pictures").mkdir(exist_ok=True)
    (folder / "pictures" / name).write_text(svg)
    return folder / "pictures" / name


def with_picture(challenge: Path) -> Path:
    """Add a drawing to a challenge's statement."""
    (challenge / "statement.md").write_text("Write `add_one`.\n\n![Up](pictures/curve.svg)\n")
    return write_picture(challenge).parent.parent


def write_topic(root: Path, name: str = "adding", challenges: tuple[str, ...] = ("add-one",), quiz: str = QUIZ) -> Path:
    """Create a valid topic with a question of every kind."""
    folder = root / "topics" / "basics" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "topic.toml").write_text(TOPIC.format(challenges=", ".join(f'"{slug}"' for slug in challenges)))
    (folder / "page.md").write_text("Adding is older than the walrus.\n\n![A line going up](pictures/curve.svg)\n")
    write_picture(folder)
    if quiz:
        (folder / "quiz.toml").write_text(quiz)
        lock = {"quiz": hashlib.sha256(quiz.encode()).hexdigest(), "torch": "2.13.0", "keys": KEYS}
        (folder / "quiz.lock").write_text(json.dumps(lock))
    return folder


def write_track(root: Path, name: str = "first-steps", topic: str = "adding") -> Path:
    """Create a valid track with a single stage."""
    path = root / "tracks" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'title = "First steps"\nsummary = "Start here"\nscope = "Adding; not subtracting"\n'
        f'[[stage]]\ntitle = "One"\ntopics = ["{topic}"]\n'
    )
    return path
