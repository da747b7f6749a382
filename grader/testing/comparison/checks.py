"""Defines `check`, with which a hidden test fails with a message that candidates may read, and the exception that it raises."""


class CheckFailed(AssertionError):
    """A check failed. The message is shown to candidates, so it must not contain inputs or expected values."""


def check(condition: object, message: str) -> None:
    """Fail with `message`, a sentence that candidates may read, unless `condition` is exactly True.

    An answer can control the truth value of any object that is not a bool. For this reason, all objects except True make the
    check fail, so pass comparisons that return a bool.
    """
    __tracebackhide__ = True
    if type(condition) is not bool:
        kind = type(condition).__name__[:60]
        raise CheckFailed(f"{message} (compared with what the answer returned, this gives a {kind}, not True or False)")
    if not condition:
        raise CheckFailed(message)
