"""Reading a list of people from CSV: a header with `email` and perhaps `name` and `extra_minutes`, then a person a line. Either
every line is good, or every bad one is named with its number and nobody is invited.
"""

import csv
import io
from dataclasses import dataclass

from pydantic import ValidationError

from api.errors import ApiError, FieldError
from api.invitations.schemas import AT_ONCE, NewInvitation

COLUMNS = {"email", "name", "extra_minutes"}
# So many bad lines are named.
NAMED = 100


class BadSheet(ApiError):
    """The list cannot be read, or a line of it is wrong."""

    status, code = 422, "bad_sheet"


@dataclass(frozen=True)
class Sheet:
    """People, and the line on which each stands."""

    people: list[NewInvitation]
    lines: list[int]


def read(body: bytes) -> Sheet:
    """The people of a list. Raises `BadSheet`."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadSheet(
            f"The list is not UTF-8: byte {error.start + 1} cannot be read. Save it as «CSV UTF-8»."
        ) from None
    first = text.partition("\n")[0]
    # Spreadsheets of half of Europe write semicolons.
    reader = csv.reader(io.StringIO(text), delimiter=";" if ";" in first else ",", strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise BadSheet(f"Line {reader.line_num} cannot be read as CSV: {error}.") from None
    return _people(rows)


def refuse(bad: list[FieldError]) -> None:
    """Nothing, if no line is bad. Raises `BadSheet`."""
    if bad:
        more = f" (and {len(bad) - 1} more lines)" if len(bad) > 1 else ""
        raise BadSheet(f"{bad[0].field}: {bad[0].message}{more}. Nobody was invited.", fields=bad[:NAMED])


def _people(rows: list[tuple[int, list[str]]]) -> Sheet:
    header = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    if "email" not in header or len(set(header)) < len(header) or not set(header) <= COLUMNS:
        raise BadSheet("The first line must name the columns: email, and perhaps name and extra_minutes.")
    if not 1 <= len(rows) - 1 <= AT_ONCE:
        raise BadSheet(f"The list has {len(rows) - 1} people; between 1 and {AT_ONCE} can be invited at once.")
    people, lines, bad = [], [], []
    for line, cells in rows[1:]:
        try:
            people.append(_person(header, cells))
            lines.append(line)
        except ValueError as error:
            bad.append(FieldError(field=f"line {line}", message=_told(error)))
    refuse(bad)
    return Sheet(people, lines)


def _person(header: list[str], cells: list[str]) -> NewInvitation:
    if len(cells) != len(header):
        raise ValueError(f"has {len(cells)} cells, not {len(header)}")
    given = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    if not given["email"]:
        raise ValueError("has no e-mail")
    extra = given.pop("extra_minutes", "") or "0"
    if not (extra.isascii() and extra.isdecimal() and len(extra) <= 4):
        raise ValueError("extra_minutes must be a whole number from 0 to 1440")
    return NewInvitation.model_validate({**given, "extra_minutes": int(extra)})


def _told(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    return f"{first['loc'][0]}: {first['msg']}"
