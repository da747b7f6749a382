"""Limits how often an account saves drafts."""

from typing import Annotated

from fastapi import Depends

from api.kit.http.provided import provided
from api.kit.http.throttle import Throttle

# How many saves are allowed per account and minute. The editor saves a few seconds after the last keystroke, so typing alone
# does not reach this limit.
SAVES_A_MINUTE = 120


class SaveLimit(Throttle):
    """Counts the saves of each account."""

    def __init__(self) -> None:
        super().__init__(SAVES_A_MINUTE, 60)


SaveLimitDep = Annotated[SaveLimit, Depends(provided(SaveLimit))]
