"""Signing in by a provider: the browser goes there and comes back with a code. A cookie binds the way back to the way there."""

from typing import Annotated
from urllib.parse import urlencode

import structlog
from fastapi import APIRouter, Path, Query, Request, Response, status
from fastapi.responses import RedirectResponse

from api.accounts.cookies import enter
from api.accounts.credentials import Identity
from api.accounts.identity import (
    AccountRequired,
    Member,
    RequestOrigin,
    SessionRequired,
    Visitor,
    is_secure,
    require_member,
)
from api.accounts.service import Origin, keep_guests_work
from api.bodies import JsonRoute
from api.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.providers import service
from api.providers.client import Client, ProviderFailed
from api.providers.flows import LASTS_S, Flow
from api.providers.schemas import Callback, LinkList, LinkView, ProviderList, ProviderView, Start, Started
from api.providers.service import NoSuchProvider, Refused, Trouble
from api.state import State, StateOf

log = structlog.get_logger()
router = APIRouter(tags=["accounts"], route_class=JsonRoute)
ProviderId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,32}$")]


@router.get("/providers", responses=errors())
async def list_providers(state: StateOf) -> ProviderList:
    """By which other sites one may sign in here."""
    found = [client.provider for client in state.providers.clients.values()]
    return ProviderList(items=[ProviderView(id=each.id, name=each.name) for each in found])


@router.post(
    "/providers/{provider_id}/start",
    responses=errors(
        CrossSite, NoSuchProvider, NotSignedIn, SessionRequired, AccountRequired, TooManyRequests, service.NotReachable
    ),
)
async def start(
    provider_id: ProviderId, body: Start, request: Request, response: Response, state: StateOf, who: Visitor
) -> Started:
    """Begin: the browser gets a cookie, and is to go to the address in the answer."""
    client = _client(state, provider_id)
    account_id = (await _member(who)).account.id if body.link else ""
    flow = Flow(provider_id, body.back, account_id)
    try:
        address = await client.address(flow)
    except ProviderFailed as error:
        log.warning("provider_failed", provider=provider_id, reason=str(error))
        raise service.NotReachable(f"{client.provider.name} cannot be reached at present. Try again later.") from None
    secure = is_secure(request, state)
    cookie = state.providers.flows.begin(flow)
    response.set_cookie(
        _cookie(secure=secure), cookie, max_age=LASTS_S, path="/", httponly=True, samesite="lax", secure=secure
    )
    return Started(address=address)


@router.get(
    "/providers/{provider_id}/callback",
    response_class=RedirectResponse,
    status_code=status.HTTP_303_SEE_OTHER,
    responses=errors(NoSuchProvider),
)
async def come_back(
    provider_id: ProviderId,
    request: Request,
    state: StateOf,
    who: Visitor,
    origin: RequestOrigin,
    told: Annotated[Callback, Query()],
) -> RedirectResponse:
    """The provider sends the browser here: it is signed in, or told on the sign-in page why not."""
    client, secure = _client(state, provider_id), is_secure(request, state)
    flow = state.providers.flows.take(request.cookies.get(_cookie(secure=secure), ""), provider_id, told.state)
    back = _Back(state, client, origin, who)
    try:
        if flow is None or (told.iss and told.iss != client.provider.issuer):
            raise Refused(Trouble.STALE)
        answer = await back.enter(request, flow, told.code)
    except Refused as refused:
        page = "/account" if flow and flow.account_id else "/sign-in"
        then = {"then": flow.then} if flow else {}
        query = urlencode({"trouble": refused.trouble, "provider": client.provider.id, **then})
        answer = RedirectResponse(f"{page}?{query}", status.HTTP_303_SEE_OTHER)
    answer.delete_cookie(_cookie(secure=secure), path="/", httponly=True, samesite="lax", secure=secure)
    return answer


@router.get("/me/providers", responses=errors(NotSignedIn, SessionRequired, AccountRequired))
async def list_links(caller: Member, state: StateOf) -> LinkList:
    """By which providers this account can be signed in to."""
    by_issuer = {client.provider.issuer: client.provider for client in state.providers.clients.values()}
    async with state.db.read() as session:
        links = await service.links_of(session, caller.account.id)
    views = [
        LinkView(id=known.id, name=known.name, email=link.email, created_at=link.created_at)
        for link in links
        if (known := by_issuer.get(link.issuer))
    ]
    return LinkList(items=views)


@router.delete(
    "/me/providers/{provider_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(
        CrossSite, NotSignedIn, SessionRequired, AccountRequired, TooManyRequests, NoSuchProvider, service.LastWayIn
    ),
)
async def unlink(provider_id: ProviderId, caller: Member, state: StateOf) -> None:
    """A provider signs in to this account no more."""
    await service.unlink(state.db, caller.account, _client(state, provider_id).provider)


class _Back:
    """Somebody who comes back from a provider."""

    def __init__(self, state: State, client: Client, origin: Origin, who: Identity | None) -> None:
        self._state, self._client, self._origin, self._who = state, client, origin, who

    async def enter(self, request: Request, flow: Flow, code: str) -> RedirectResponse:
        """Sign in or link, as was begun. Raises `Refused`."""
        if not code:
            raise Refused(Trouble.CANCELLED)
        try:
            person = await self._client.person(flow, code)
        except ProviderFailed as error:
            log.warning("provider_failed", provider=flow.provider, reason=str(error))
            raise Refused(Trouble.FAILED) from None
        db, provider = self._state.db, self._client.provider
        answer = RedirectResponse(flow.then, status.HTTP_303_SEE_OTHER)
        if flow.account_id:
            if self._who is None or self._who.account.id != flow.account_id:
                raise Refused(Trouble.STALE)
            await service.link(db, self._who.account, provider, person)
            return answer
        account = await service.sign_in(db, service.Caller(self._state.door, self._origin), provider, person)
        await keep_guests_work(db, self._who.account if self._who else None, account)
        await enter(request, answer, self._state, account)
        return answer


def _client(state: State, provider_id: str) -> Client:
    if client := state.providers.clients.get(provider_id):
        return client
    raise NoSuchProvider("There is no such provider here.")


async def _member(who: Identity | None) -> Identity:
    if who is None:
        raise NotSignedIn
    return await require_member(who)


def _cookie(*, secure: bool) -> str:
    return "__Host-gradus_flow" if secure else "gradus_flow"
