"""Gauges that are computed at each scrape: the queue and the outboxes from the database, and this process's nodes, streams and
connections.

All processes of the service report the same numbers for the queue and the outboxes, because they share the database. To combine
the metrics of several processes, use the maximum of these numbers, not the sum.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import REGISTRY, Collector
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.webhooks import models as webhooks
from api.identity.mail import models as mails
from api.judging.dispatch.connected_nodes import Node
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.nodes import expected
from api.judging.nodes.expected import Expected
from api.judging.submissions.events import EventHub
from api.judging.submissions.models import IS_UNFINISHED, UNFINISHED, Judging, Status
from api.kit import disk_space
from api.kit.db.database import Database, now
from api.kit.disk_space import Disk
from api.practice.measurements.models import IS_WAITING, Measurement
from api.settings import Settings

# The names of the queue's two lanes, by the value of `Judging.short`. Jobs of the lane `any` are not short: they need a slot
# that takes jobs of any length.
LANES = {True: "short", False: "any"}
CPU, UNKNOWN = "cpu", "unknown"


async def text(dispatcher: Dispatcher, store: CatalogueStore) -> bytes:
    """Return all metrics in Prometheus's text format. If the database is unreachable, the metrics that are read from it are
    left out.
    """
    db, settings = dispatcher.db, dispatcher.settings
    answers = await db.answers()
    found = [
        gauge("gradus_database_up", "Whether the database answers.", answers),
        *_of_process(db, settings, store, dispatcher.hub),
    ]
    found += _of_nodes(dispatcher.nodes.all())
    with contextlib.suppress(OSError):
        found += _of_disks(await asyncio.to_thread(disk_space.disks, settings))
    if answers:
        async with db.read() as session:
            found += [*await _of_queue(session), *await _of_outboxes(session)]
            may_be_there = await expected.all_of(session, dispatcher.nodes, settings)
            found += _of_expected(expected.wanted(may_be_there))
    registry = CollectorRegistry()
    registry.register(_Found(found))
    return generate_latest(REGISTRY) + generate_latest(registry)


def gauge(name: str, about: str, value: float) -> GaugeMetricFamily:
    """Create a gauge without labels."""
    return GaugeMetricFamily(name, about, value=value)


class _Found(Collector):
    def __init__(self, found: list[GaugeMetricFamily]) -> None:
        self._found = found

    def collect(self) -> Iterable[GaugeMetricFamily]:
        return self._found


def _of_process(db: Database, settings: Settings, store: CatalogueStore, hub: EventHub) -> Iterator[GaugeMetricFamily]:
    used, most = db.connections()
    yield gauge("gradus_database_connections", "Connections to the database in use.", used)
    yield gauge("gradus_database_connections_most", "Maximum number of connections to the database.", most)
    yield gauge("gradus_streams", "Open event streams.", hub.streams())
    yield gauge("gradus_streams_most", "Maximum number of open event streams.", settings.streams)
    yield gauge(
        "gradus_queue_limit", "Maximum number of queued submissions; further ones are refused.", settings.queue_limit
    )
    yield gauge("gradus_challenges", "Served challenges.", len(store.catalogue.challenges))
    left_out = len(store.catalogue.left_out)
    yield gauge("gradus_challenges_left_out", "Challenge folders that are not served.", left_out)


def _of_disks(found: list[Disk]) -> list[GaugeMetricFamily]:
    """Return the free space and the size of each disk. The label says what the service stores on the disk."""
    free = GaugeMetricFamily(
        "gradus_disk_free_bytes", "Free space on a disk that the service writes to.", labels=["holds"]
    )
    size = GaugeMetricFamily("gradus_disk_bytes", "Size of a disk that the service writes to.", labels=["holds"])
    for disk in found:
        free.add_metric([disk.holds], disk.free)
        size.add_metric([disk.holds], disk.size)
    return [free, size]


def _of_nodes(nodes: list[Node]) -> list[GaugeMetricFamily]:
    """Return the metrics of the nodes, by device. A node is `able` if it can judge and is not drained. It is `drained` if an
    admin has taken it out of service.
    """
    figures: dict[str, tuple[str, Callable[[Node], int]]] = {
        "gradus_nodes": ("Connected nodes.", lambda node: 1),
        "gradus_nodes_able": ("Connected nodes that can judge and are not drained.", lambda node: int(node.size > 0)),
        "gradus_nodes_drained": ("Connected nodes that get no jobs.", lambda node: int(node.drained)),
        "gradus_slots": ("Slots of nodes that can judge and are not drained.", lambda node: node.size),
        "gradus_slots_free": ("Slots to which a job can be offered now.", lambda node: sum(node.free)),
        "gradus_cells": ("Warm cells in slots.", lambda node: node.cells),
        "gradus_cells_spare": ("Warm spare cells.", lambda node: node.spares),
    }
    devices = {CPU, *(node.device for node in nodes)}
    found = []
    for name, (about, figure) in figures.items():
        family = GaugeMetricFamily(name, about, labels=["device"])
        for device in sorted(devices):
            family.add_metric([device], sum(figure(node) for node in nodes if node.device == device))
        found.append(family)
    starving = GaugeMetricFamily(
        "gradus_nodes_starving",
        "Share of the last minute in which a process waited for a processor, on the node with the largest share.",
        labels=["device"],
    )
    slowest = GaugeMetricFamily(
        "gradus_nodes_slowest",
        "Speed of the slowest measured node; 1 is the reference machine.",
        labels=["device"],
    )
    for device in sorted(devices):
        starving.add_metric(
            [device], max((node.starving or 0.0 for node in nodes if node.device == device), default=0.0)
        )
        if speeds := [node.speed for node in nodes if node.device == device and node.speed is not None]:
            slowest.add_metric([device], min(speeds))
    return [*found, starving, slowest]


def _of_expected(found: list[Expected]) -> list[GaugeMetricFamily]:
    """Return how many nodes should be connected, by device, and for how long each missing node has been missing. The device of
    a node that has never joined is `unknown`.
    """
    many = GaugeMetricFamily(
        "gradus_nodes_expected", "Nodes that should be connected to any process of the service.", labels=["device"]
    )
    away = GaugeMetricFamily(
        "gradus_node_away_seconds", "Time since which an expected node has been missing.", labels=["node", "device"]
    )
    devices = [node.device or UNKNOWN for node in found]
    for device in sorted({CPU, *devices}):
        many.add_metric([device], devices.count(device))
    for node in found:
        if node.state == "missing":
            away.add_metric([node.name, node.device or UNKNOWN], node.away_s)
    return [many, away]


async def _of_queue(session: AsyncSession) -> list[GaugeMetricFamily]:
    """Return how many jobs are queued and running, and how old the oldest queued and the oldest running job are. There is one
    value for each lane (short jobs or other jobs) and device.
    """
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
        _by_lane("gradus_queued", "Queued judgings.", figures, Status.QUEUED, age=False),
        _by_lane(
            "gradus_queued_oldest_seconds",
            "Time since which the oldest one has been queued.",
            figures,
            Status.QUEUED,
            age=True,
        ),
        _by_lane("gradus_being_judged", "Judgings that are running on a node.", figures, Status.JUDGING, age=False),
        _by_lane(
            "gradus_being_judged_oldest_seconds",
            "Time since which the oldest one has been running.",
            figures,
            Status.JUDGING,
            age=True,
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
    """Return how many emails, messages to webhooks and measurements are waiting, and for how long the oldest has been waiting.

    The measurements of an account that asks for many are put off. Their time counts from when they may begin.
    """
    found = []
    for name, about, since, waits in (
        ("mails", "Emails that have not been sent", mails.OutboxMail.created_at, mails.IS_QUEUED),
        (
            "webhook_deliveries",
            "Messages to webhooks that have not been delivered",
            webhooks.WebhookDelivery.created_at,
            webhooks.IS_QUEUED,
        ),
        ("measurements", "Measurements for speed boards that no node has begun", Measurement.rank_at, IS_WAITING),
    ):
        many, oldest = (await session.execute(select(func.count(), func.min(since)).where(waits))).one()
        found.append(gauge(f"gradus_{name}_waiting", f"{about}.", many))
        found.append(
            gauge(
                f"gradus_{name}_waiting_oldest_seconds",
                f"{about}: how long the oldest has been waiting.",
                _age_s(oldest),
            )
        )
    return found


def _age_s(moment: datetime | None) -> float:
    return max(0.0, (now() - moment).total_seconds()) if moment else 0.0
