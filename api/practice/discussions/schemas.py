"""Request and response bodies of discussions. The text of a comment is Markdown; the client renders it without HTML and without
pictures of other sites.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.kit.text import CleanText

# The longest comment, in characters: about a page of text.
COMMENT_LENGTH = 4000
CommentText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=COMMENT_LENGTH), CleanText
]
CommentId = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]


class NewComment(BaseModel):
    """A comment in Markdown. Lines that begin with `>!` are hidden until the reader opens them. `parent_id` is the comment that
    it replies to; a reply has no replies.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"text": "Why divide by $\\sqrt d$?"}})
    text: CommentText
    parent_id: CommentId | None = None


class EditedComment(BaseModel):
    """The new text of a comment."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"text": "Why divide by $\\sqrt d$?"}})
    text: CommentText


class CommentView(BaseModel):
    """A comment, with the name under which its author appears on boards. A deleted comment, and one that moderators have hidden
    from you, has neither text nor name. The author and moderators can still read a hidden comment.
    """

    id: str
    parent_id: str | None
    state: Literal["shown", "hidden", "deleted"]
    name: str
    text: str
    votes: int
    voted: bool
    mine: bool
    created_at: datetime
    edited_at: datetime | None


class ThreadView(CommentView):
    """A comment and its replies, the oldest first."""

    replies: list[CommentView]


class ThreadPage(BaseModel):
    """One page of a discussion; `next_cursor` is null on the last page."""

    items: list[ThreadView]
    next_cursor: str | None
