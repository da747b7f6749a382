"""Response bodies of test drives."""

from datetime import datetime

from pydantic import BaseModel


class TestDriveMade(BaseModel):
    """The link of a new test drive, which is shown only once."""

    link: str
    expires_at: datetime


class TestDriveView(BaseModel):
    """A test drive that was started. `version` is the version of the plan with which it was started."""

    participation_id: str
    name: str
    version: int
    started_at: datetime
    finished_at: datetime | None


class TestDrives(BaseModel):
    """The test drives of an assessment, newest first. Each member of the team has at most one."""

    items: list[TestDriveView]
