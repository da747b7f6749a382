"""Runs a node's self-tests, before the node's first job and again after several faults in a row."""

import asyncio
import logging
from collections.abc import Callable

from grader.contract import transport
from grader.contract.job import Judgement
from grader.node import selftest

log = logging.getLogger(__name__)
FAULTS_IN_A_ROW = 4
TEST_S = 60.0
AGAIN_S = 60.0
TESTING = "The self-test (a right and a wrong answer) must pass first."


class Fitness:
    """Runs self-tests. A self-test consists of jobs that are offered to the node through `say`, just as the service offers its
    jobs.

    `changed` is called after every self-test. `device` is the device on which the node judges.
    """

    def __init__(self, say: Callable[[transport.ToNode], None], changed: Callable[[], None]) -> None:
        self.why = TESTING
        self.device = "cpu"
        self._say, self._changed = say, changed
        self._room, self._doubt = asyncio.Event(), asyncio.Event()
        self._doubt.set()
        self._faults = 0
        self._tests: dict[str, asyncio.Future[transport.End]] = {}

    @property
    def doubtful(self) -> bool:
        """Whether the node must pass a self-test before it may get jobs. `why` holds the reason."""
        return self._doubt.is_set()

    def is_test(self, token: str) -> bool:
        """Return whether the job with this token is part of a self-test."""
        return token in self._tests

    def room(self, free: int) -> None:
        """Record whether any slot is free. Call this with the number of free slots whenever that number changes."""
        (self._room.set if free else self._room.clear)()

    def ended(self, message: transport.End) -> bool:
        """Record the outcome of a job. Returns True if the job was part of a self-test; the service must not be told of such
        jobs.
        """
        test = self._tests.pop(transport.token_of(message), None)
        if test is not None:
            if not test.done():
                test.set_result(message)
            return True
        if isinstance(message, transport.Judged):
            self._faults = 0
        elif isinstance(message, transport.Fault):
            self._faults += 1
            if self._faults >= FAULTS_IN_A_ROW and not self.doubtful:
                self.why = f"It failed {self._faults} times in a row, last: {message.reason[:200]}. {TESTING}"
                self._doubt.set()
        return False

    async def watch(self) -> None:
        """Run a self-test when one is needed and a slot is free. Repeats it every AGAIN_S seconds until it passes."""
        while True:
            await self._doubt.wait()
            await self._room.wait()
            problem = await self._problem()
            if problem:
                log.error("the self-test failed: %s", problem)
                self.why = f"Its self-test failed: {problem}. It runs again every minute."
            else:
                self._faults = 0
                self._doubt.clear()
            self._changed()
            if problem:
                await asyncio.sleep(AGAIN_S)

    async def _problem(self) -> str:
        ends = [await self._try(source) for source in (selftest.right(self.device), selftest.WRONG)]
        right, wrong = ends
        if isinstance(right, str) or isinstance(wrong, str):
            complaint = next(end for end in ends if isinstance(end, str))
        else:
            complaint = selftest.complaint(right, wrong)
        asked = " (can its cells reach the GPU, and is their torch built for CUDA?)" if self.device == "cuda" else ""
        return f"on {self.device}, {complaint}{asked}" if complaint else ""

    async def _try(self, source: str) -> Judgement | str:
        job = selftest.job(source, self.device)
        self._tests[job.token] = asyncio.get_running_loop().create_future()
        self._say(transport.Offer(job, short=True))
        try:
            end = await asyncio.wait_for(self._tests[job.token], TEST_S)
        except TimeoutError:
            return f"no judgement within {TEST_S:.0f} s"
        if isinstance(end, transport.Judged):
            return end.judgement
        return "it was stopped" if isinstance(end, transport.Stopped) else end.reason
