"""Lets tests read the objects that the application provides."""

from dataclasses import dataclass
from typing import get_type_hints

from fastapi import FastAPI

from api.content.catalogue.service import CatalogueStore
from api.content.search.service import SearchIndexCache
from api.hiring.results.report_rate_limit import ReportRateLimit
from api.identity.providers.registry import Providers
from api.identity.sessions.credential_lookup import CredentialLookup
from api.identity.sessions.request_limit import RequestLimit
from api.identity.sign_in.service import SignInLimits
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.intake.batching import SubmissionWriter
from api.judging.submissions.events import EventHub
from api.kit.cluster import Cluster
from api.kit.db.database import Database
from api.kit.http.provided import lookup
from api.kit.subprocess_pool import SubprocessPool
from api.practice.drafts.save_limit import SaveLimit
from api.practice.leaderboards.rank_milestones import Milestones
from api.settings import Settings


@dataclass(frozen=True)
class State:
    """The objects that the application provides. Tests use them to check state that the service's responses do not show."""

    settings: Settings
    db: Database
    limits: SignInLimits
    store: CatalogueStore
    search_index: SearchIndexCache
    hub: EventHub
    cluster: Cluster
    dispatcher: Dispatcher
    providers: Providers
    credential_lookup: CredentialLookup
    writer: SubmissionWriter
    request_limit: RequestLimit
    saves: SaveLimit
    reports: ReportRateLimit
    subprocess_pool: SubprocessPool
    milestones: Milestones


def state_of(app: FastAPI) -> State:
    """Return the objects of an application."""
    return State(**{name: lookup(app, kind) for name, kind in get_type_hints(State).items()})
