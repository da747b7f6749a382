"""Limits the number of requests per minute of each account."""

from typing import Annotated

from fastapi import Depends

from api.kit.http.provided import provided
from api.kit.http.throttle import Rate
from api.settings import Settings


class RequestLimit(Rate):
    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.requests_per_minute)


RequestLimitDep = Annotated[RequestLimit, Depends(provided(RequestLimit))]
