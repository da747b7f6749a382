"""Runs slow work in separate processes, so that it does not block the event loop. The work is a Python program that reads its
input from stdin and writes its result to stdout. The process gets no environment variables, and therefore no secrets. It
imports nothing of the service, and is killed when it exceeds its time limit.
"""

import asyncio
import sys
from pathlib import Path

import structlog

from api.kit.errors import TooManyRequests

log = structlog.get_logger()
# At most AT_ONCE programs run at the same time. A call is refused if WAITING calls are already running or waiting.
AT_ONCE, WAITING = 1, 8


class TookTooLong(TooManyRequests):
    """The program did not finish within its time limit."""

    def __init__(self) -> None:
        super().__init__(
            "This took too long and was stopped. Try again when the service is less busy.", retry_after_s=60
        )


class SubprocessPool:
    """Limits how many programs run at the same time and how many calls wait."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def run(self, program: Path, given: bytes, limit_s: float) -> bytes:
        """Run `program` with `given` as its input, and return its output. Raises `TooManyRequests` if too many calls are
        waiting, and `TookTooLong` after `limit_s` seconds.
        """
        if self._waiting >= WAITING:
            raise TooManyRequests("Many reports are being made just now. Try again in a moment.", retry_after_s=10)
        self._waiting += 1
        try:
            async with self._turn:
                return await _run(program, given, limit_s)
        finally:
            self._waiting -= 1


async def _run(program: Path, given: bytes, limit_s: float) -> bytes:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", str(program), stdin=pipe, stdout=pipe, stderr=pipe, env={}, start_new_session=True
    )
    try:
        async with asyncio.timeout(limit_s):
            made, said = await process.communicate(given)
    except TimeoutError:
        log.warning("aside_took_too_long", program=program.name, limit_s=limit_s)
        raise TookTooLong from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise RuntimeError(f"{program.name} ended with {process.returncode}: {said.decode(errors='replace')[-2000:]}")
    return made
