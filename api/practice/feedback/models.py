"""Table report: an error report or a suggestion, with its answer."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class Report(Table):
    """A report or a suggestion. `words` is the user's text. Only reports have a `target`, the item that they are about. Only
    suggestions have `title`, `tests` and `why`.

    `open_key` is a hash of the reported problem. Because the column is unique for each account, an account cannot report the
    same problem twice while the first report is open. It is None once the report is answered.
    """

    __tablename__ = "report"
    __table_args__ = (
        Index(None, "account_id", "id"),
        Index(None, "state", "id"),
        Index(None, "account_id", "open_key", unique=True),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    about: Mapped[str] = mapped_column(String(16))
    target: Mapped[str] = mapped_column(String(201))
    title: Mapped[str] = mapped_column(String(120))
    words: Mapped[str] = mapped_column(Text)
    tests: Mapped[str] = mapped_column(Text)
    why: Mapped[str] = mapped_column(Text)
    submission_id: Mapped[str | None] = mapped_column(ForeignKey("submission.id", ondelete="SET NULL"))
    open_key: Mapped[str | None] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(16))
    reply: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)
    answered_at: Mapped[datetime | None] = mapped_column(Moment)
