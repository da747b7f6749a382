"""Defines the tables of candidates' conversations with the assistant, and of what candidates say about their own assistants."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class AssistantMessage(Table):
    """A candidate's question about an item, and the reply. `state` is running, answered, cut (the reply reached its maximum
    length) or failed. If it is failed, `failure` is one of `chat_completions.FAILURES`, and `reply` is the part that had arrived.
    `tokens` counts the prompt and the reply. `model` is the model that was configured at that time.
    """

    __tablename__ = "assistant_message"
    __table_args__ = (Index(None, "participation_id", "id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    position: Mapped[int]
    asked_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)
    question: Mapped[str] = mapped_column(Text)
    reply: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(8))
    failure: Mapped[str] = mapped_column(String(16))
    tokens: Mapped[int]
    model: Mapped[str] = mapped_column(String(120))


class AssistantDeclaration(Table):
    """How a candidate used an assistant of their own, in their words. They can change it until the data is erased."""

    __tablename__ = "assistant_declaration"

    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(Moment)
