"""Table comment: the comments about challenges, and the replies to them."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import AUTHOR, Moment, Table


class Comment(Table):
    """A comment, or a reply to the comment `parent_id`. There are no replies to replies.

    The row of a deleted comment stays, so that its replies keep their place. It has no text, and no author either if the author's
    account was deleted. `hidden_at` is set while a moderator hides the comment. If the comment was sent with an idempotency key,
    a request that repeats the key returns this comment.
    """

    __tablename__ = "comment"
    __table_args__ = (
        Index(None, "slug", "parent_id", "id"),
        Index(None, "parent_id", "id"),
        Index(None, "author_id", "id"),
        Index(None, "author_id", "idempotency_key", unique=True),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100))
    parent_id: Mapped[str | None] = mapped_column(ForeignKey("comment.id", ondelete="CASCADE"))
    author_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    text: Mapped[str] = mapped_column(Text)
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(Moment)
    edited_at: Mapped[datetime | None] = mapped_column(Moment)
    hidden_at: Mapped[datetime | None] = mapped_column(Moment)
    deleted_at: Mapped[datetime | None] = mapped_column(Moment)
