"""Defines `check`, which makes a hidden test fail with a message that candidates may read. It raises `CheckFailed`."""


class CheckFailed(AssertionError):
    """A check failed. The message is shown to candidates, so it must not contain a test's inputs or expected values."""


def check(condition: object, message: str) -> None:
    """Fail with `message`, a sentence that candidates may read, unless `condition` is exactly True.

    Pass a comparison that returns a bool: every object except True makes the check fail, even if it is truthy. An answer could
    return an object whose truth value it controls.
    """
    __tracebackhide__ = True
    if type(condition) is not bool:
        kind = type(condition).__name__[:60]
        raise CheckFailed(f"{message} (compared with what the answer returned, this gives a {kind}, not True or False)")
    if not condition:
        raise CheckFailed(message)
