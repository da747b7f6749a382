"""Attempts that ended without a judgement, and were given out by another service process, or by this one before it started anew:
SQL says whether that counts.
"""

import structlog

from api.judging import service
from api.judging.dispatcher import Dispatcher
from grader import transport

log = structlog.get_logger()


async def ended(
    dispatcher: Dispatcher, node: str, message: transport.Fault | transport.Refused | transport.Stopped
) -> None:
    """A node tells how an attempt has ended. What is not its own, or no longer, changes nothing."""
    async with dispatcher.db.read() as session:
        held = await service.held(session, node, [message.token])
    if not held:
        log.info("late_end_discarded", node=node, end=type(message).__name__.lower())
    elif isinstance(message, transport.Fault):
        await dispatcher.fault(node, message)
    else:
        async with dispatcher.db.write() as session:
            await service.release(session, message.token)
        dispatcher.wake()
