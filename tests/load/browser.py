"""A candidate's browser as the service sees it, over one connection: plain streams, since a client library for each of hundreds
would cost more processor time than the service does.
"""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

ROOM = 1 << 20


class Refused(Exception):
    """The service answered with an error."""


@dataclass
class Browser:
    """One connection with its cookies."""

    host: str
    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    _line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """One request; returns the JSON of its answer. Raises `Refused`."""
        for attempt in (1, 2):
            try:
                return await self._ask(method, path, body)
            except (ConnectionError, asyncio.IncompleteReadError):
                # A connection that lay idle may have been closed meanwhile.
                self.close()
                if attempt == 2:
                    raise
        return None

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line[1].close()
            self._line = None

    async def _ask(self, method: str, path: str, body: Any) -> Any:
        if self._line is None:
            self._line = await asyncio.open_connection(self.host, self.port, limit=ROOM)
        reader, writer = self._line
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Length: {len(content)}\r\n"
        if content:
            head += "Content-Type: application/json\r\n"
        if self.cookies:
            head += f"Cookie: {'; '.join(f'{name}={value}' for name, value in self.cookies.items())}\r\n"
        writer.write(f"{head}\r\n".encode() + content)
        status, headers = _head((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
        for name, value in headers:
            if name == "set-cookie":
                given, _, rest = value.partition("=")
                self.cookies[given] = rest.partition(";")[0]
        told = await reader.readexactly(int(dict(headers).get("content-length", "0")))
        if status >= 400:
            raise Refused(f"{method} {path}: {status} {told[:300].decode(errors='replace')}")
        return json.loads(told) if told else None


def _head(text: str) -> tuple[int, list[tuple[str, str]]]:
    first, *rest = text.split("\r\n")
    pairs = (line.partition(":") for line in rest if line)
    return int(first.split()[1]), [(name.lower(), value.strip()) for name, _, value in pairs]
