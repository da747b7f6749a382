"""FastAPI dependencies for the objects of `api.kit` and for the settings."""

from typing import Annotated

from fastapi import Depends

from api.kit.db.database import Database
from api.kit.http.provided import provided
from api.kit.subprocess_pool import SubprocessPool
from api.settings import Settings

DatabaseDep = Annotated[Database, Depends(provided(Database))]
SettingsDep = Annotated[Settings, Depends(provided(Settings))]
SubprocessPoolDep = Annotated[SubprocessPool, Depends(provided(SubprocessPool))]
