"""Tables: comment_vote and shared_answer_vote. Each has a row for every vote."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import OF_ANOTHER, Table


class CommentVote(Table):
    """An account's vote for a comment."""

    __tablename__ = "comment_vote"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    target_id: Mapped[str] = mapped_column(
        ForeignKey("comment.id", ondelete="CASCADE"), primary_key=True, index=True, info=OF_ANOTHER
    )


class SharedAnswerVote(Table):
    """An account's vote for a shared answer. If its owner stops sharing the answer, the votes are deleted."""

    __tablename__ = "shared_answer_vote"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    target_id: Mapped[str] = mapped_column(
        ForeignKey("shared_answer.id", ondelete="CASCADE"), primary_key=True, index=True, info=OF_ANOTHER
    )
