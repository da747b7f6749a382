"""Table shared_answer: one per submission while its owner shows it. Its id is the link, so a new one each time."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table


class SharedAnswer(Table):
    """`listed`: also shown to others who have opened the editorial, not only to who has the link."""

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
