"""A column type for long text, which may be stored as it is or compressed. Code that reads the column always gets plain text.
Text that was compressed in the database is compressed again when it is written back.
"""

import base64
import zlib

from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

# Compressed text begins with this prefix. No JSON text does.
MARK = "z:"


class Unpacked(str):
    """Plain text that is stored compressed. Reading a compressed value returns this type."""

    __slots__ = ()


class Packed(TypeDecorator[str]):
    """A column of text. A value of the type `Unpacked` is stored compressed, any other `str` as it is. A judgement with fifty
    tests contains all their names and titles; compressed, these take almost no space.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if not isinstance(value, Unpacked):
            return value
        return MARK + base64.b85encode(zlib.compress(value.encode(), 9)).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or not value.startswith(MARK):
            return value
        return Unpacked(zlib.decompress(base64.b85decode(value.removeprefix(MARK))).decode())
