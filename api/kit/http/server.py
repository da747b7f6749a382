"""Configures uvicorn so that its own error responses use the API's format and slow clients are disconnected."""

import asyncio
import json
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.kit.errors import CODES
from api.kit.http.security_headers import SECURITY
from api.settings import Settings

# Maximum size of a request's head (request line and headers) in bytes. The limits of `RequestLimits` are lower, so that they
# apply first: their error messages are more specific.
HEAD_BYTES = 64 * 1024
# Maximum size of a message of a WebSocket in bytes. A client that sends more is disconnected.
SOCKET_BYTES = 512 * 1024


def server_config(app: FastAPI, settings: Settings, **more: Any) -> uvicorn.Config:
    """Return uvicorn's configuration for this service. `more` adds or replaces options."""
    values: dict[str, Any] = {
        "host": settings.host,
        "port": settings.port,
        # uvloop is not used even if it is installed: child processes that it starts inherit more than is passed to them.
        "loop": "asyncio",
        "http": _protocol(settings),
        "ws": "websockets-sansio",
        "ws_max_size": SOCKET_BYTES,
        # Compressed together with what a participant has written, other text could be guessed by its length.
        "ws_per_message_deflate": False,
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
    """One connection, with two time limits in seconds: the head of a request must arrive within `head_s`, and the
    connection is closed if the client reads nothing for `unread_s`.
    """

    head_s: float
    unread_s: float
    _head_timer: asyncio.TimerHandle | None = None
    _unread_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the head of the first request."""
        super().connection_made(transport)
        self._head_timer = self.loop.call_later(self.head_s, self._on_head_timeout)

    def data_received(self, data: bytes) -> None:
        """Start the timer at the first bytes of a head, and stop it when the head is complete."""
        if self._between_requests and self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_s, self._on_head_timeout)
        super().data_received(data)
        if not self._between_requests:
            self._head_timer = _cancel(self._head_timer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers of a closed connection."""
        self._head_timer, self._unread_timer = _cancel(self._head_timer), _cancel(self._unread_timer)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop the timer of the head. The connection belongs to uvicorn's protocol for WebSockets from now on, which pings the
        client, and closes the connection if there is no response.
        """
        self._head_timer = _cancel(self._head_timer)
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Start the timer for a client that does not read."""
        super().pause_writing()
        self._unread_timer = self._unread_timer or self.loop.call_later(self.unread_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer, because the client reads again."""
        super().resume_writing()
        self._unread_timer = _cancel(self._unread_timer)

    def send_400_response(self, msg: str) -> None:
        """Respond to data that is not HTTP, or to headers over `HEAD_BYTES`."""
        text = f"This is not a request that this service can read, or its headers are over {HEAD_BYTES >> 10} KiB."
        self._refuse(400, text)

    @property
    def _between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _on_head_timeout(self) -> None:
        self._head_timer = None
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


def _cancel(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    if timer is not None:
        timer.cancel()
    return None
