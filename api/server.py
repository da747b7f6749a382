"""uvicorn as this service runs it: what it refuses by itself is answered in the one shape, and nobody may dawdle."""

import asyncio
import json
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.errors import CODES
from api.guard import SECURITY
from api.settings import Settings

# Beyond what the guard refuses with a better answer.
HEAD_BYTES = 64 * 1024


def server_config(app: FastAPI, settings: Settings, **more: Any) -> uvicorn.Config:
    """The configuration of the server for this service; `more` replaces parts of it."""
    values: dict[str, Any] = {
        "host": settings.host,
        "port": settings.port,
        # Not uvloop, where it is installed: its children inherit more than they are given.
        "loop": "asyncio",
        "http": _protocol(settings),
        "ws": "none",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "proxy_headers": bool(settings.trusted_proxies),
        "forwarded_allow_ips": settings.trusted_proxies or None,
        "h11_max_incomplete_event_size": HEAD_BYTES,
        "timeout_keep_alive": 75,
        "timeout_graceful_shutdown": 5,
    }
    return uvicorn.Config(app, **{**values, **more})


def _protocol(settings: Settings) -> type[asyncio.Protocol]:
    class Configured(Protocol):
        head_s, unread_s = settings.head_s, settings.unread_s

    return Configured


class Protocol(H11Protocol):
    """One connection. A request's head must come within `head_s`; an answer that is not read for `unread_s` is dropped."""

    head_s: float
    unread_s: float
    _head: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The clock of the first request starts."""
        super().connection_made(transport)
        self._head = self.loop.call_later(self.head_s, self._dawdled)

    def data_received(self, data: bytes) -> None:
        """A head that begins starts the clock, a head that is complete stops it."""
        if self._between_requests and self._head is None:
            self._head = self.loop.call_later(self.head_s, self._dawdled)
        super().data_received(data)
        if not self._between_requests:
            self._head = _stop(self._head)

    def connection_lost(self, exc: Exception | None) -> None:
        """No clock runs for a connection that is gone."""
        self._head, self._unread = _stop(self._head), _stop(self._unread)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The other side does not read."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(self.unread_s, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._unread = _stop(self._unread)

    def send_400_response(self, msg: str) -> None:
        """What is not HTTP, or has a head beyond all limits."""
        text = f"This is not a request that this service can read, or its headers are over {HEAD_BYTES >> 10} KiB."
        self._refuse(400, text)

    @property
    def _between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _dawdled(self) -> None:
        self._head = None
        if self.transport.is_closing():
            return
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self._refuse(408, f"The request's headers did not arrive within {self.head_s:g} seconds. Send it again.")
        self.transport.close()

    def _refuse(self, status: int, message: str) -> None:
        body = json.dumps({"code": CODES[status], "message": message, "status": status}).encode()
        names = {**SECURITY, "Content-Type": "application/json", "Cache-Control": "no-store", "Connection": "close"}
        headers = [*names.items(), ("Content-Length", str(len(body)))]
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            response = h11.Response(status_code=status, headers=headers)
            for event in (response, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def _stop(clock: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """Stops a clock, if there is one; afterwards there is none."""
    if clock is not None:
        clock.cancel()
    return None
