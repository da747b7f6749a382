"""Reads replies from an endpoint that speaks OpenAI's protocol for chat completions, as a stream. vLLM, llama.cpp, Ollama and
most providers of models do.

Every way in which an endpoint can fail becomes an `EndpointFailed` with one of `FAILURES`. A reply has a longest length, a line
of the stream has one too, and a silent endpoint is given up, so that no endpoint can keep memory or a connection for long.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import structlog

from api.external_service_settings import AssistantEndpoint
from api.kit.text import BAD, REPLACEMENT, printable

log = structlog.get_logger()
CONNECT_S = 10.0
# The longest time between two parts of a reply.
SILENT_S = 45.0
# A server can cut its stream into lines of any length. No line of a sound one is near this length.
LINE_BYTES = 256 * 1024
# The longest reply in characters, for endpoints that ignore the limit in tokens.
REPLY_CHARACTERS = 32_000
LOGGED_CHARACTERS = 300
# What a candidate reads, by the reason.
FAILURES = {
    "unreachable": "The assistant cannot be reached at the moment. Your question is saved. Ask again in a minute.",
    "busy": "The assistant has too many requests at the moment. Your question is saved. Ask again in a minute.",
    "refused": "The assistant is set up wrongly, so it refused the question. Tell the team; you can go on without it.",
    "broken": "The assistant stopped in the middle of its reply. The part that arrived is saved. Ask again.",
    "timeout": "The assistant took too long to reply. The part that arrived is saved. Ask again, with a shorter question.",
    "interrupted": "The service restarted during the reply. The part that arrived is saved. Ask again.",
}


class EndpointFailed(Exception):
    """There is no complete reply. `reason` is one of `FAILURES`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Ending:
    """How a reply ended. `tokens` is what the endpoint counted, or None if it counted nothing. `cut` is true if the reply
    reached its longest length.
    """

    tokens: int | None = None
    cut: bool = False


async def reply(
    endpoint: AssistantEndpoint, messages: Sequence[dict[str, str]], most_tokens: int, ending: Ending
) -> AsyncIterator[str]:
    """Yield the parts of a reply as they arrive, and fill in `ending`. Raises `EndpointFailed`."""
    length = 0
    try:
        async with asyncio.timeout(endpoint.reply_s):
            async for part in _parts(endpoint, messages, most_tokens, ending):
                taken = part[: REPLY_CHARACTERS - length]
                length += len(taken)
                if taken:
                    yield taken
                if length >= REPLY_CHARACTERS:
                    ending.cut = True
                    return
    except (TimeoutError, httpx.TimeoutException):
        raise EndpointFailed("timeout") from None
    except httpx.TransportError as error:
        log.warning("assistant_failed", error=printable(f"{type(error).__name__}: {error}")[:LOGGED_CHARACTERS])
        raise EndpointFailed("broken" if length else "unreachable") from None


async def _parts(
    endpoint: AssistantEndpoint, messages: Sequence[dict[str, str]], most_tokens: int, ending: Ending
) -> AsyncIterator[str]:
    body = {
        "model": endpoint.model,
        "messages": list(messages),
        "stream": True,
        "stream_options": {"include_usage": True},
        endpoint.length_field: most_tokens,
    }
    key = endpoint.key.get_secret_value()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    waits = httpx.Timeout(SILENT_S, connect=CONNECT_S)
    url = f"{endpoint.url.rstrip('/')}/chat/completions"
    complete = False
    async with (
        httpx.AsyncClient(timeout=waits, trust_env=False, follow_redirects=False) as http,
        http.stream("POST", url, json=body, headers=headers) as answer,
    ):
        await _require_success(answer)
        async for data in _events(answer):
            if data == "[DONE]":
                return
            text, why, tokens = _read(data)
            ending.tokens = tokens or ending.tokens
            ending.cut = ending.cut or why == "length"
            complete = complete or bool(why)
            if text:
                yield text
    # Some servers close the connection without `[DONE]`. The reply is complete if the reason for its end came.
    if not complete:
        raise EndpointFailed("broken")


async def _require_success(answer: httpx.Response) -> None:
    if answer.status_code == httpx.codes.OK:
        return
    said = b""
    async for part in answer.aiter_bytes():
        said += part
        if len(said) >= LOGGED_CHARACTERS:
            break
    text = printable(said[:LOGGED_CHARACTERS].decode("utf-8", "replace"))
    log.warning("assistant_failed", status=answer.status_code, answer=text)
    if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
        raise EndpointFailed("busy")
    raise EndpointFailed("unreachable" if answer.status_code >= 500 else "refused")


async def _events(answer: httpx.Response) -> AsyncIterator[str]:
    """Yield the data of each event. Raises `EndpointFailed` if a line is too long."""
    rest = b""
    async for part in answer.aiter_bytes():
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].decode("utf-8", "replace").strip()
        if len(rest) > LINE_BYTES:
            raise EndpointFailed("broken")


def _read(data: str) -> tuple[str, str, int | None]:
    """Return the text of a chunk, the reason why the reply ended (or ""), and the number of tokens if the chunk has it. Raises
    `EndpointFailed` if the chunk is not what the protocol says, or reports an error.
    """
    try:
        chunk = json.loads(data)
        if chunk.get("error"):
            log.warning("assistant_failed", answer=printable(str(chunk["error"]))[:LOGGED_CHARACTERS])
            raise EndpointFailed("broken")
        choice: dict[str, Any] = (chunk.get("choices") or [{}])[0]
        text = (choice.get("delta") or {}).get("content") or ""
        tokens = (chunk.get("usage") or {}).get("total_tokens")
        # What PostgreSQL cannot store, and browsers cannot show.
        return BAD.sub(REPLACEMENT, str(text)), str(choice.get("finish_reason") or ""), int(tokens) if tokens else None
    except (ValueError, TypeError, AttributeError, LookupError):
        raise EndpointFailed("broken") from None
