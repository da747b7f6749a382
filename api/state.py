"""What the running service shares between requests, and how a route gets it."""

from dataclasses import dataclass, field
from typing import Annotated, cast

from fastapi import Depends, Request

from api.accounts.callers import Callers
from api.accounts.service import Door
from api.accounts.throttle import Throttle
from api.aside import Aside
from api.catalogue.service import Shelf
from api.db import Database
from api.drafts.service import SAVES_A_MINUTE
from api.events import Hub
from api.judging.dispatcher import Dispatcher
from api.peers import Peers
from api.providers.registry import Providers
from api.search.service import Finder
from api.settings import Settings
from api.standings.boards import Census
from api.submissions.gathering import Intake

# Of one account: files of results, and looks for similar answers.
REPORTS_AN_HOUR = 120


@dataclass(frozen=True)
class State:
    """The parts that live as long as the service."""

    settings: Settings
    db: Database
    door: Door
    shelf: Shelf
    finder: Finder
    hub: Hub
    peers: Peers
    dispatcher: Dispatcher
    providers: Providers
    callers: Callers
    intake: Intake
    saves: Throttle = field(default_factory=lambda: Throttle(SAVES_A_MINUTE, 60))
    reports: Throttle = field(default_factory=lambda: Throttle(REPORTS_AN_HOUR, 3600))
    aside: Aside = field(default_factory=Aside)
    census: Census = field(default_factory=Census)


async def state_of(request: Request) -> State:
    """The state of the app that serves this request."""
    return cast(State, request.app.state.gradus)


StateOf = Annotated[State, Depends(state_of)]
