# id: L1
# tries: puts terminal commands (title, clipboard, clear, C1, backspace) into output, exceptions and a source with errors
# expect: no response or event of the API contains a control character; the verdict is the one that the code deserves
"""Sends text that a terminal would execute as commands."""

from tests.attacks.service.target import HONEST, SLUG, WITHIN_S, Target, everything_told, texts, unshowable

EVIL = "\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\x1b[31m\x9b31m\x90q\x9c\x08\x08\x7f\r\x0b\x0c\x85"
SOURCE = f"""
import os, sys
print({EVIL!r})
def attention(q, k, v):
    os.write(1, {EVIL!r}.encode() + b"\\x9b31m\\xff\\x1b[0m")
    print({EVIL!r}, file=sys.stderr)
    raise ValueError({EVIL!r} + "visible")
"""
NO_PYTHON = f"def attention(q, k, v):\n    # {EVIL.replace(chr(13), '').replace(chr(12), '')}\n    return \x1b[31mv\n"


def attack(target: Target) -> None:
    one = target.candidate()
    sent = {
        "RE": one.submit(SLUG, SOURCE),
        "CE": one.submit(SLUG, NO_PYTHON),
        "": one.scratch(SLUG, HONEST, f"print({EVIL!r} + 'visible')"),
    }
    for verdict, identifier in sent.items():
        assert (one.judged(identifier, WITHIN_S)["verdict"] or "") == verdict
        told = [text for each in everything_told(one, identifier) for text in texts(each)]
        assert [text for text in told if unshowable(text)] == []
        assert verdict == "CE" or any("visible" in text for text in told), "the check looks at nothing"
