"""Registers the routers, the shared objects and the background tasks of `api.hiring` in the application."""

import contextlib
from collections.abc import AsyncIterator

from fastapi import FastAPI

from api.content.catalogue.service import CatalogueStore
from api.content.embargo import EmbargoPolicy
from api.hiring.assessments import reserved_challenges_routes, variants_routes
from api.hiring.assessments import routes as assessments
from api.hiring.assistant import routes as assistant
from api.hiring.assistant import team_routes as assistant_for_teams
from api.hiring.assistant.replies import AssistantReplies
from api.hiring.ats import routes as ats
from api.hiring.ats import token_routes as team_tokens
from api.hiring.authoring import routes as authoring
from api.hiring.authoring.gate_worker import GateWorker
from api.hiring.authoring.rejudges import routes as team_rejudges
from api.hiring.authoring.rejudges.worker import TeamRejudges
from api.hiring.candidate_feedback import routes as candidate_feedback
from api.hiring.follow_ups import routes as follow_ups
from api.hiring.interview_rooms import review_routes as room_reviews
from api.hiring.interview_rooms import room_routes as rooms
from api.hiring.interview_rooms import submission_routes as room_submissions
from api.hiring.interview_rooms import team_routes as team_rooms
from api.hiring.interview_rooms import websocket as room_websocket
from api.hiring.invitations import mail as invitation_mail
from api.hiring.invitations import mail_routes as candidate_mails
from api.hiring.invitations import routes as invitations
from api.hiring.monitoring import outage_routes, rejudge_routes
from api.hiring.monitoring import routes as monitoring
from api.hiring.overview import routes as overview
from api.hiring.participations.deadline_sweeper import DeadlineSweeper
from api.hiring.participations.embargo import embargo_for
from api.hiring.participations.webhook_events import record_score_changes
from api.hiring.ready_made_assessments import routes as ready_made_assessments
from api.hiring.ready_made_assessments.solve_times import SolveTimes
from api.hiring.report_links import routes as report_links
from api.hiring.report_links import team_routes as report_links_for_teams
from api.hiring.results import item_history_routes
from api.hiring.results import routes as results
from api.hiring.results.report_rate_limit import ReportRateLimit
from api.hiring.reviews import routes as reviews
from api.hiring.room_documents.live_rooms import LiveRooms
from api.hiring.taking import routes as taking
from api.hiring.taking import scratch_routes
from api.hiring.teams import activity_log_routes, leaderboard_routes
from api.hiring.teams import mail as team_mail
from api.hiring.teams import routes as teams
from api.hiring.test_drives import routes as test_drives
from api.hiring.webhooks import mail as webhook_mail
from api.hiring.webhooks import routes as webhooks
from api.hiring.webhooks.sender import WebhookSender
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.rejudges.worker import CatalogueRejudges, RejudgeWorker
from api.judging.submissions.events import EventHub
from api.kit.cluster import Cluster, LeaderTask
from api.kit.db.database import Database
from api.kit.http.provided import lookup, provide
from api.kit.subprocess_pool import SubprocessPool
from api.settings import Settings

ROUTERS = [
    each.router
    for each in (
        taking,
        scratch_routes,
        follow_ups,
        assistant,
        teams,
        activity_log_routes,
        leaderboard_routes,
        authoring,
        team_rejudges,
        assessments,
        overview,
        reserved_challenges_routes,
        variants_routes,
        ready_made_assessments,
        test_drives,
        team_rooms,
        rooms,
        room_submissions,
        room_reviews,
        invitations,
        candidate_mails,
        monitoring,
        outage_routes,
        rejudge_routes,
        assistant_for_teams,
        reviews,
        results,
        item_history_routes,
        report_links,
        report_links_for_teams,
        candidate_feedback,
        webhooks,
        team_tokens,
        ats,
    )
]
# Routers of WebSockets. They have no dependencies of their own, because FastAPI gives a WebSocket no request.
SOCKET_ROUTERS = [room_websocket.router]
TAGS = [
    {"name": "teams", "description": "Teams, their members and roles, inviting people."},
    {"name": "own challenges", "description": "A team's own challenges: writing, proving, publishing."},
    {"name": "assessments", "description": "What a team asks its candidates: building, opening, freezing."},
    {"name": "invitations", "description": "Inviting people to an assessment, by email or with a link."},
    {"name": "participations", "description": "Taking an assessment, and monitoring its candidates."},
    {
        "name": "live interviews",
        "description": "Rooms in which people write code together: entering, judging, notes, replay.",
    },
    {"name": "connections", "description": "A team's webhooks, and its tokens for programs."},
    {"name": "tracking", "description": "For applicant tracking systems, with a team's token."},
    {"name": "reviews", "description": "What a team records about its candidates: notes, scores, decisions."},
    {
        "name": "reporting",
        "description": "The results of an assessment: statistics, similar answers, files to download.",
    },
]
MAIL_KINDS = {**team_mail.KINDS, **invitation_mail.KINDS, **webhook_mail.KINDS}


def build(app: FastAPI, settings: Settings) -> None:
    """Create the shared objects of `api.hiring` and register them in the application."""
    rooms = LiveRooms(lookup(app, Database), lookup(app, EventHub), lookup(app, Cluster))
    provide(
        app, EmbargoPolicy(embargo_for), ReportRateLimit(), SubprocessPool(), AssistantReplies(), SolveTimes(), rooms
    )


@contextlib.asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """Run the worker that assigns teams' own challenges to nodes, which check them with the gate. At the end, store what was
    written in live interviews, and what has arrived of the assistant's replies.
    """
    worker = GateWorker(lookup(app, Database), lookup(app, CatalogueStore), lookup(app, Dispatcher))
    worker.start()
    try:
        yield
    finally:
        await lookup(app, LiveRooms).close()
        await worker.stop()
        await lookup(app, AssistantReplies).stop()


def leader_tasks(app: FastAPI) -> list[LeaderTask]:
    """Return the background tasks that only one process of the service runs at a time."""
    db, store, settings = lookup(app, Database), lookup(app, CatalogueStore), lookup(app, Settings)
    rejudges = RejudgeWorker(
        db, lookup(app, Dispatcher), (CatalogueRejudges(store, record_score_changes), TeamRejudges(store))
    )
    sweeper = DeadlineSweeper(db, settings, store, lookup(app, Dispatcher), lookup(app, EventHub))
    return [rejudges, sweeper, WebhookSender(settings, db)]
