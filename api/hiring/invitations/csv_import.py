"""Reads a list of candidates from CSV. The first line names the columns: `email` and optionally `name`, `extra_minutes` and
`time_percent`. Each other line is one candidate. If any line is invalid, nobody is invited, and the invalid lines are
reported with their numbers.
"""

import csv
import io
from dataclasses import dataclass

from pydantic import ValidationError

from api.hiring.invitations.schemas import AT_ONCE, NewInvitation
from api.kit.errors import ApiError, FieldError

COLUMNS = {"email", "name", "extra_minutes", "time_percent"}
PERCENT = {"": 100, "100": 100, "125": 125, "150": 150, "200": 200}
# The maximum number of invalid lines that are reported.
NAMED = 100


class BadSheet(ApiError):
    """The list cannot be read, or a line of it is invalid."""

    status, code = 422, "bad_sheet"


@dataclass(frozen=True)
class InvitationList:
    """The candidates in the list. `lines` contains the line number of each candidate, in the same order."""

    people: list[NewInvitation]
    lines: list[int]


def read(body: bytes) -> InvitationList:
    """Parse a list of candidates from CSV in UTF-8. Raises `BadSheet`."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadSheet(
            f"The list is not UTF-8: byte {error.start + 1} cannot be read. Save it as “CSV UTF-8”."
        ) from None
    first = text.partition("\n")[0]
    # In many European languages, spreadsheet programs separate columns with semicolons.
    reader = csv.reader(io.StringIO(text), delimiter=";" if ";" in first else ",", strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise BadSheet(f"Line {reader.line_num} cannot be read as CSV: {error}.") from None
    return _people(rows)


def refuse(bad: list[FieldError]) -> None:
    """Raise `BadSheet` if there are invalid lines."""
    if bad:
        more = f" (and {len(bad) - 1} more lines)" if len(bad) > 1 else ""
        raise BadSheet(f"{bad[0].field}: {bad[0].message}{more}. No one was invited.", fields=bad[:NAMED])


def _people(rows: list[tuple[int, list[str]]]) -> InvitationList:
    header = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    if "email" not in header or len(set(header)) < len(header) or not set(header) <= COLUMNS:
        raise BadSheet(
            "The first line must name the columns: email, and optionally name, extra_minutes and time_percent."
        )
    if not 1 <= len(rows) - 1 <= AT_ONCE:
        raise BadSheet(f"The list has {len(rows) - 1} candidates; between 1 and {AT_ONCE} can be invited at once.")
    people, lines, bad = [], [], []
    for line, cells in rows[1:]:
        try:
            people.append(_person(header, cells))
            lines.append(line)
        except ValueError as error:
            bad.append(FieldError(field=f"line {line}", message=_message_of(error)))
    refuse(bad)
    return InvitationList(people, lines)


def _person(header: list[str], cells: list[str]) -> NewInvitation:
    if len(cells) != len(header):
        raise ValueError(f"has {len(cells)} cells, not {len(header)}")
    given = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    if not given["email"]:
        raise ValueError("has no email address")
    extra = given.pop("extra_minutes", "") or "0"
    if not (extra.isascii() and extra.isdecimal() and len(extra) <= 4):
        raise ValueError("extra_minutes must be a whole number from 0 to 1440")
    percent = given.pop("time_percent", "")
    if percent not in PERCENT:
        raise ValueError("time_percent must be 100, 125, 150 or 200")
    return NewInvitation.model_validate({**given, "extra_minutes": int(extra), "time_percent": PERCENT[percent]})


def _message_of(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    return f"{first['loc'][0]}: {first['msg']}"
