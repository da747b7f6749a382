"""Provides a minimal HTTP client that behaves like a candidate's browser, over one connection.

It uses plain streams, because hundreds of instances of a client library would use more CPU time than the service.
"""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

ROOM = 1 << 20


class Refused(Exception):
    """Raised if the service answers with a status of 400 or more."""


@dataclass
class Browser:
    """A connection to the service, with cookies. `headers` are sent with every request."""

    host: str
    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    _line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request, and return the JSON of the response. Raise `Refused` if the status is 400 or more."""
        told = await self.send(method, path, body)
        return json.loads(told) if told else None

    async def send(self, method: str, path: str, body: Any = None) -> bytes:
        """Send a request, and return the body of the response as it is. Raise `Refused` if the status is 400 or more."""
        for attempt in (1, 2):
            try:
                return await self._ask(method, path, body)
            except (ConnectionError, asyncio.IncompleteReadError):
                # The server may have closed an idle connection, so connect again once.
                self.close()
                if attempt == 2:
                    raise
        return b""

    def close(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line[1].close()
            self._line = None

    async def _ask(self, method: str, path: str, body: Any) -> bytes:
        if self._line is None:
            self._line = await asyncio.open_connection(self.host, self.port, limit=ROOM)
        reader, writer = self._line
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Length: {len(content)}\r\n"
        if content:
            head += "Content-Type: application/json\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
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
        return told


def _head(text: str) -> tuple[int, list[tuple[str, str]]]:
    first, *rest = text.split("\r\n")
    pairs = (line.partition(":") for line in rest if line)
    return int(first.split()[1]), [(name.lower(), value.strip()) for name, _, value in pairs]
