"""Defines the type of a date and time in requests: a string with a time zone, which is converted to UTC."""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BeforeValidator
from pydantic_core import PydanticCustomError

# The allowed years for `opens_at` and `closes_at`. With these limits, adding minutes to a date cannot overflow `datetime`.
YEARS = range(2020, 2101)


def _written(value: Any) -> Any:
    """Accept only strings that contain a colon, and `datetime` objects. A number is refused, quoted or not, because it could
    count seconds or milliseconds. A date without a time of day is refused too.
    """
    if isinstance(value, datetime) or (isinstance(value, str) and ":" in value):
        return value
    raise PydanticCustomError("moment", "must be a date and time with a time zone, such as 2026-05-01T09:00:00Z")


def _in_utc(moment: datetime) -> datetime:
    if moment.year not in YEARS:
        context = {"first": YEARS[0], "last": YEARS[-1]}
        raise PydanticCustomError("far_away", "must be in the years {first} to {last}", context)
    return moment.astimezone(UTC)


WhenUtc = Annotated[AwareDatetime, AfterValidator(_in_utc), BeforeValidator(_written)]
