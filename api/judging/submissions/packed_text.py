"""A column type for long text that may be stored compressed. Compressed text is decompressed when it is read, and compressed
again when it is written back.
"""

import base64
import zlib

from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

# The prefix of compressed text. No JSON text begins like this.
MARK = "z:"


class Unpacked(str):
    """Text that was stored compressed, and is compressed again when it is written."""

    __slots__ = ()


class Packed(TypeDecorator[str]):
    """Text that is compressed if it is an `Unpacked`. For the judgement of a challenge with fifty tests, this saves almost
    all the space of their names and titles.
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
