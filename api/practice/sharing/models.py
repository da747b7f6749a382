"""Table shared_answer: one row per shared submission. The ID of the row is part of the link. If the owner stops sharing an
answer and shares it again, the answer gets a new link.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class SharedAnswer(Table):
    """A shared submission. Everybody with the link can read it. If it is `listed`, all users who can read the challenge's
    editorial can find it too. `hidden_at` is set while a moderator hides it; then nobody can read it here.
    """

    __tablename__ = "shared_answer"
    __table_args__ = (
        Index(None, "submission_id", unique=True),
        Index(None, "account_id", "slug"),
        Index(None, "slug", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(100))
    listed: Mapped[bool]
    shared_at: Mapped[datetime] = mapped_column(Moment)
    hidden_at: Mapped[datetime | None] = mapped_column(Moment)
