"""The one way in which a hidden test fails on purpose: a sentence that candidates may read."""


class CheckFailed(AssertionError):
    """A check failed. The message is shown to candidates: it never holds inputs or expected values."""


def check(condition: object, message: str) -> None:
    """Fail with `message`, a sentence that is safe to show, unless `condition` is exactly True.

    Raises `TypeError` when the condition is no bool: the truth of other objects can be decided by the answer.
    """
    __tracebackhide__ = True
    if type(condition) is not bool:
        raise TypeError(f"check() takes a bool, got {type(condition).__name__}; write bool(...) or a comparison")
    if not condition:
        raise CheckFailed(message)
