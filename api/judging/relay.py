"""What the processes of the service tell each other about judging, and what each does when it hears it. The rows say what is
true: what is told here only saves waiting, and what is told twice or too late changes nothing.
"""

from api.events import Event
from api.judging import service, story
from api.judging.dispatcher import Dispatcher
from api.judging.models import UNFINISHED
from api.peers import Peers

# An event as it travels: its name, its key and its frame.
Told = tuple[str, tuple[int, int, int], str]


class Relay:
    """Hears for this process; each method answers to the word of its name, `mark` is who said it."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher, self._hub = dispatcher, dispatcher.hub

    def listen(self, peers: Peers) -> None:
        """Be called from now on."""
        words = (self.wake, self.sizes, self.stop, self.watch, self.event, self.ended, self.stir)
        peers.on_heard = {word.__name__: word for word in words}
        peers.on_gap = self._hub.interrupt

    async def wake(self, mark: str) -> None:
        """Something was queued."""
        self._dispatcher.look()

    async def sizes(self, mark: str, sizes: dict[str, int]) -> None:
        """The process has so many slots of each device."""
        self._dispatcher.nodes.elsewhere(mark, sizes)

    async def stop(self, mark: str, judging_id: str, token: str) -> None:
        """An attempt was cancelled or lost."""
        self._dispatcher.stop_here(judging_id, token)

    async def watch(self, mark: str, submission_id: str) -> None:
        """Somebody watches a submission there."""
        self._hub.watched_elsewhere(submission_id)

    async def event(self, mark: str, submission_id: str, event: Told, waits: bool) -> None:
        """Something happened to a submission that is watched."""
        name, (number, attempt, step), frame = event
        happened = Event(name, (number, attempt, step), frame.encode())
        self._hub.happened_elsewhere(submission_id, happened, waits=waits)

    async def ended(self, mark: str, submission_id: str) -> None:
        """A submission was judged or cancelled: how, is in SQL."""
        if not self._hub.is_watched(submission_id):
            return
        async with self._dispatcher.db.read() as session:
            row = await service.current(session, submission_id)
        if row is not None and row.status not in UNFINISHED:
            self._hub.ended_elsewhere(submission_id, story.whole(row))

    async def stir(self, mark: str, name: str) -> None:
        """SQL tells something new."""
        self._hub.stir_here(name)
