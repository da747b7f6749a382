"""What is looked up when somebody asks: the queue in SQL, and what this process knows of its nodes, streams and connections.

Every process of the service tells the same of the queue and the outboxes: take the maximum of these, not the sum.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import REGISTRY, Collector
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import now
from api.judging.models import IS_UNFINISHED, UNFINISHED, Judging, Status
from api.judging.nodes import Node
from api.letters import models as letters
from api.state import State
from api.webhooks import models as webhooks

LANES = {True: "short", False: "any"}
CPU = "cpu"


async def text(state: State) -> bytes:
    """Everything, as Prometheus reads it. While the database does not answer, what lies in it is left out."""
    answers = await state.db.answers()
    found = [gauge("gradus_database_up", "Whether the database answers.", answers), *_of_process(state)]
    found += _of_nodes(state.dispatcher.nodes.all())
    if answers:
        async with state.db.read() as session:
            found += [*await _of_queue(session), *await _of_outboxes(session)]
    registry = CollectorRegistry()
    registry.register(_Found(found))
    return generate_latest(REGISTRY) + generate_latest(registry)


def gauge(name: str, about: str, value: float) -> GaugeMetricFamily:
    """A figure without labels."""
    return GaugeMetricFamily(name, about, value=value)


class _Found(Collector):
    def __init__(self, found: list[GaugeMetricFamily]) -> None:
        self._found = found

    def collect(self) -> Iterable[GaugeMetricFamily]:
        return self._found


def _of_process(state: State) -> Iterator[GaugeMetricFamily]:
    used, most = state.db.connections()
    yield gauge("gradus_database_connections", "Connections to the database in use.", used)
    yield gauge("gradus_database_connections_most", "Connections to the database that may be in use.", most)
    yield gauge("gradus_streams", "Event streams that are open.", state.hub.streams())
    yield gauge("gradus_streams_most", "Event streams that may be open.", state.settings.streams)
    yield gauge(
        "gradus_queue_limit", "Submissions that may wait; beyond it they are refused.", state.settings.queue_limit
    )
    yield gauge("gradus_challenges", "Challenges that are served.", len(state.shelf.catalogue.challenges))
    left_out = len(state.shelf.catalogue.left_out)
    yield gauge("gradus_challenges_left_out", "Folders of challenges that are not served.", left_out)


def _of_nodes(nodes: list[Node]) -> list[GaugeMetricFamily]:
    """By device. A node is `able` unless it says that it cannot judge, and `drained` when an admin took it out of service."""
    figures: dict[str, tuple[str, Callable[[Node], int]]] = {
        "gradus_nodes": ("Nodes that are connected.", lambda node: 1),
        "gradus_nodes_able": ("Connected nodes that can judge and may.", lambda node: int(node.size > 0)),
        "gradus_nodes_drained": ("Connected nodes that get no jobs.", lambda node: int(node.drained)),
        "gradus_slots": ("Slots of nodes that can judge and may.", lambda node: node.size),
        "gradus_slots_free": ("Slots that may be offered a job now.", lambda node: sum(node.free)),
        "gradus_cells": ("Warm cells in slots.", lambda node: node.cells),
        "gradus_cells_spare": ("Warm cells that wait for a slot.", lambda node: node.spares),
    }
    devices = {CPU, *(node.device for node in nodes)}
    found = []
    for name, (about, figure) in figures.items():
        family = GaugeMetricFamily(name, about, labels=["device"])
        for device in sorted(devices):
            family.add_metric([device], sum(figure(node) for node in nodes if node.device == device))
        found.append(family)
    return found


async def _of_queue(session: AsyncSession) -> list[GaugeMetricFamily]:
    """By lane and device: how many wait and are judged, and for how long the oldest has."""
    since = func.min(func.coalesce(Judging.started_at, Judging.queued_at))
    by = (Judging.status, Judging.device, Judging.short)
    query = select(*by, func.count(), func.min(Judging.queued_at), since).where(IS_UNFINISHED)
    rows = (await session.execute(query.group_by(*by))).all()
    figures: dict[tuple[str, str, str], tuple[int, Any]] = {
        (status, CPU, lane): (0, None) for status in UNFINISHED for lane in LANES.values()
    }
    for status, device, short, many, queued_at, started_at in rows:
        oldest = queued_at if status == Status.QUEUED else started_at
        figures[status, device, LANES[bool(short)]] = (many, oldest)
    return [
        _by_lane("gradus_queued", "Judgings that wait.", figures, Status.QUEUED, age=False),
        _by_lane("gradus_queued_oldest_seconds", "Since when the oldest waits.", figures, Status.QUEUED, age=True),
        _by_lane("gradus_being_judged", "Judgings that a node works on.", figures, Status.JUDGING, age=False),
        _by_lane(
            "gradus_being_judged_oldest_seconds", "Since when the oldest is judged.", figures, Status.JUDGING, age=True
        ),
    ]


def _by_lane(
    name: str, about: str, figures: dict[tuple[str, str, str], tuple[int, Any]], wanted: Status, *, age: bool
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=["lane", "device"])
    for (status, device, lane), (many, oldest) in figures.items():
        if status == wanted:
            family.add_metric([lane, device], _age_s(oldest) if age else many)
    return family


async def _of_outboxes(session: AsyncSession) -> list[GaugeMetricFamily]:
    found = []
    for name, about, table, waits in (
        ("letters", "Letters", letters.Letter, letters.IS_QUEUED),
        ("webhook_deliveries", "Messages to webhooks", webhooks.WebhookDelivery, webhooks.IS_QUEUED),
    ):
        query = select(func.count(), func.min(table.created_at)).where(waits)
        many, oldest = (await session.execute(query)).one()
        found.append(gauge(f"gradus_{name}_waiting", f"{about} that are still to be sent.", many))
        found.append(
            gauge(f"gradus_{name}_waiting_oldest_seconds", f"{about}: since when the oldest waits.", _age_s(oldest))
        )
    return found


def _age_s(moment: datetime | None) -> float:
    return max(0.0, (now() - moment).total_seconds()) if moment else 0.0
