"""FastAPI dependencies for the objects of `api.kit`, for the settings and for a header that several routes read."""

from typing import Annotated

from fastapi import Depends, Header

from api.kit.db.database import Database
from api.kit.http.provided import provided
from api.kit.subprocess_pool import SubprocessPool
from api.settings import Settings

DatabaseDep = Annotated[Database, Depends(provided(Database))]
SettingsDep = Annotated[Settings, Depends(provided(Settings))]
SubprocessPoolDep = Annotated[SubprocessPool, Depends(provided(SubprocessPool))]
KEY = Header(
    max_length=200,
    min_length=1,
    pattern=r"^[\x21-\x7e]+$",
    description="A request that is repeated with the same key is stored once.",
)
IdempotencyKey = Annotated[str | None, KEY]
