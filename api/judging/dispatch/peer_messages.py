"""Handles the messages that the processes of the service send each other about judging.

The rows in SQL are authoritative: a message only makes another process react sooner, and a repeated or late message changes
nothing.
"""

from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.queue import service
from api.judging.submissions import history
from api.judging.submissions.events import Event
from api.judging.submissions.models import UNFINISHED
from api.kit.cluster import Cluster

# An event as it is sent between processes: its name, its key, and its frame, which is the text that clients receive.
WireEvent = tuple[str, tuple[int, int, int], str]


class PeerMessages:
    """Handles messages from other processes. Each method except `listen` handles the message that has the method's name;
    `instance_id` is the id of the process that sent it.
    """

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher, self._hub = dispatcher, dispatcher.hub

    def listen(self, cluster: Cluster) -> None:
        """Register all other methods of this class as message handlers."""
        methods = (self.wake, self.sizes, self.stop, self.watch, self.event, self.ended, self.notify)
        cluster.handlers = {method.__name__: method for method in methods}
        cluster.on_gap = self._hub.interrupt

    async def wake(self, instance_id: str) -> None:
        """Check the queue, because a submission was added to it."""
        self._dispatcher.look()

    async def sizes(self, instance_id: str, sizes: dict[str, int]) -> None:
        """Store how many slots the sender's nodes have, by device."""
        self._dispatcher.nodes.report_remote_slots(instance_id, sizes)

    async def stop(self, instance_id: str, judging_id: str, token: str) -> None:
        """If a node of this process runs this attempt, stop it, because it was cancelled or lost."""
        self._dispatcher.attempts.stop_here(judging_id, token)

    async def watch(self, instance_id: str, submission_id: str) -> None:
        """From now on, send the events of this submission to the other processes, because a client of the sender watches it."""
        self._hub.watched_by_peer(submission_id)

    async def event(self, instance_id: str, submission_id: str, event: WireEvent, waits: bool) -> None:
        """Pass on an event to the clients of this process that watch the submission."""
        name, (number, attempt, step), frame = event
        rebuilt = Event(name, (number, attempt, step), frame.encode())
        self._hub.event_from_peer(submission_id, rebuilt, waits=waits)

    async def ended(self, instance_id: str, submission_id: str) -> None:
        """Read the outcome of a judged or cancelled submission from SQL and send it to the clients of this process that watch
        the submission.
        """
        if not self._hub.is_watched(submission_id):
            return
        async with self._dispatcher.db.read() as session:
            row = await service.current(session, submission_id)
        if row is not None and row.status not in UNFINISHED:
            self._hub.ended_at_peer(submission_id, history.all_events(row))

    async def notify(self, instance_id: str, name: str) -> None:
        """Wake the event streams of this process that watch the channel with this name, so that they read SQL again: the data
        that they show has changed.
        """
        self._hub.notify_here(name)
