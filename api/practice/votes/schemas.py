"""Response bodies of votes, and the orders of lists whose items can be voted for."""

from typing import Literal

from pydantic import BaseModel

# `votes` puts the items with the most votes first, and of those with equally many the newest.
Sort = Literal["votes", "newest"]


class VoteView(BaseModel):
    """How many votes something has, and whether one of them is yours."""

    votes: int
    voted: bool
