"""Connects this package to the application: its routers, its shared objects, and its preparation at startup."""

import contextlib
from collections.abc import AsyncIterator

from fastapi import FastAPI

from api.content.catalogue.service import CatalogueStore
from api.judging.dispatch.dispatcher import Dispatcher
from api.kit.db.database import Database
from api.kit.http.provided import lookup, provide
from api.practice.bookmarks import routes as bookmarks
from api.practice.cards import routes as cards
from api.practice.challenge_stats import routes as challenge_stats
from api.practice.challenge_stats.service import StatsCache
from api.practice.challenges import routes as challenges
from api.practice.discussions import routes as discussions
from api.practice.drafts import routes as drafts
from api.practice.drafts.save_limit import SaveLimit
from api.practice.editorials import routes as editorials
from api.practice.feedback import routes as feedback
from api.practice.feeds import routes as feeds
from api.practice.leaderboards import routes as leaderboards
from api.practice.leaderboards import scoring
from api.practice.leaderboards.rank_milestones import Milestones
from api.practice.leaderboards.scoring import ScoreUpdater
from api.practice.measurements.queueing import MeasurementQueue
from api.practice.measurements.worker import MeasurementWorker
from api.practice.mock_interviews import routes as mock_interviews
from api.practice.own_inputs import routes as own_inputs
from api.practice.profiles import follow_routes
from api.practice.profiles import routes as profiles
from api.practice.quizzes import routes as quizzes
from api.practice.sharing import routes as sharing
from api.practice.speed_boards import routes as speed_boards
from api.practice.weekly import routes as weekly
from api.practice.weekly.final_measurements import FinalMeasurements
from api.settings import Settings

ROUTERS = [
    each.router
    for each in (
        challenges,
        challenge_stats,
        own_inputs,
        drafts,
        bookmarks,
        sharing,
        discussions,
        quizzes,
        editorials,
        cards,
        mock_interviews,
        leaderboards,
        speed_boards,
        feeds,
        profiles,
        follow_routes,
        weekly,
        feedback,
    )
]
TAGS = [
    {"name": "quizzes", "description": "Answering a topic's questions."},
    {"name": "cards", "description": "Revision cards: what is due, grading it, adding a topic's cards."},
    {
        "name": "interviews",
        "description": "Mock interviews: a timed random selection of questions and challenges, and its report.",
    },
    {"name": "drafts", "description": "Drafts of your answers, saved for all your devices."},
    {"name": "bookmarks", "description": "Bookmarking challenges, and private notes about them."},
    {"name": "own inputs", "description": "Comparing an answer with the reference on your own input."},
    {"name": "editorials", "description": "Hints, giving up, the explanation with the reference answer."},
    {"name": "sharing", "description": "Sharing an accepted answer, and reading shared ones."},
    {"name": "discussions", "description": "Comments about challenges, replies to them, and votes."},
    {"name": "reports", "description": "Reporting errors, suggesting questions, reading the answers."},
    {
        "name": "standings",
        "description": "Boards and their feeds, challenges of the week, profiles, progress, whom you follow.",
    },
]


def build(app: FastAPI, settings: Settings) -> None:
    """Create this package's shared objects, and register the functions that update scores and queue measurements when judgements
    are stored.
    """
    provide(app, SaveLimit(), Milestones(), StatsCache())
    store = lookup(app, CatalogueStore)
    lookup(app, Dispatcher).on_judged += [ScoreUpdater(store).judged, MeasurementQueue(store).judged]


async def prepare(app: FastAPI) -> None:
    """At startup, compute the points on all leaderboards if no points are stored at all."""
    await scoring.fill_if_empty(lookup(app, Database), lookup(app, CatalogueStore).catalogue)


@contextlib.asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """Assign measurements to nodes, and measure the first places again at the end of each week."""
    db = lookup(app, Database)
    tasks = MeasurementWorker(db, lookup(app, Dispatcher)), FinalMeasurements(db, lookup(app, CatalogueStore))
    for task in tasks:
        task.start()
    try:
        yield
    finally:
        for task in tasks:
            await task.stop()
