"""Checks the client of nats-server: it must keep trying to connect to a server whose TLS handshake fails."""

import asyncio

from grader.contract import nats_client

INFO = b'INFO {"server_id": "x", "version": "2.10.0", "proto": 1, "max_payload": 1048576, "tls_required": true}\r\n'


def test_one_whose_tls_fails_is_tried_again_and_again() -> None:
    """The client must keep trying, without a restart of the process, because an expired certificate gets renewed and an
    overloaded server recovers. The test waits for three attempts.
    """
    asyncio.run(_dialled_three_times())


async def _dialled_three_times() -> None:
    dialled = asyncio.Semaphore(0)

    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        dialled.release()
        writer.write(INFO)
        await reader.read(1)
        writer.transport.abort()

    async def ignore(error: Exception) -> None: ...

    server = await asyncio.start_server(break_off, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    connecting = asyncio.create_task(
        nats_client.client().connect(
            f"tls://127.0.0.1:{port}", max_reconnect_attempts=-1, reconnect_time_wait=0, error_cb=ignore
        )
    )
    async with asyncio.timeout(60):
        for _ in range(3):
            await dialled.acquire()
    # In Python 3.11, asyncio.wait_for can lose a cancellation that arrives at the moment when the connection ends. So cancel
    # until the task is done.
    while not connecting.done():
        connecting.cancel()
        await asyncio.wait({connecting}, timeout=0.1)
    server.close()
    await asyncio.sleep(0.1)
