"""Routes for signing in with an identity provider. The browser goes to the provider and comes back with a code. A cookie
ensures that the browser that comes back is the one that began the sign-in.
"""

from dataclasses import replace
from typing import Annotated
from urllib.parse import urlencode

import structlog
from fastapi import APIRouter, Path, Query, Request, Response, status
from fastapi.responses import RedirectResponse

from api.identity.providers import service
from api.identity.providers.client import Client, ProviderFailed
from api.identity.providers.flows import LASTS_S, Flow
from api.identity.providers.registry import Providers, ProvidersDep
from api.identity.providers.schemas import Callback, LinkList, LinkView, ProviderList, ProviderView, Start, Started
from api.identity.providers.service import NoSuchProvider, Refused, SignInProblem
from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import (
    AccountRequired,
    Member,
    SessionRequired,
    Visitor,
    is_secure,
    require_member,
)
from api.identity.sign_in.cookies import SessionCookies, SessionCookiesDep
from api.identity.sign_in.service import SignInLimits, SignInLimitsDep, keep_guests_work
from api.kit.db.database import Database
from api.kit.errors import AddressTooLong, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute

log = structlog.get_logger()
router = APIRouter(tags=["accounts"], route_class=JsonRoute)
ProviderId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,32}$")]


@router.get("/providers", responses=errors())
async def list_providers(providers: ProvidersDep) -> ProviderList:
    """The identity providers with which users can sign in on this site."""
    found = [client.provider for client in providers.clients.values()]
    return ProviderList(items=[ProviderView(id=each.id, name=each.name) for each in found])


@router.post(
    "/providers/{provider_id}/start",
    responses=errors(
        CrossSite, NoSuchProvider, NotSignedIn, SessionRequired, AccountRequired, TooManyRequests, service.NotReachable
    ),
)
async def start(
    provider_id: ProviderId,
    body: Start,
    request: Request,
    response: Response,
    settings: SettingsDep,
    providers: ProvidersDep,
    who: Visitor,
) -> Started:
    """Begin a sign-in with a provider. Sets a cookie, and returns the provider's URL that the browser must open next."""
    client = _client(providers, provider_id)
    account_id = (await _member(who)).account.id if body.link else ""
    flow = Flow(provider_id, body.back, account_id)
    try:
        address = await client.address(flow)
    except ProviderFailed as error:
        log.warning("provider_failed", provider=provider_id, reason=str(error))
        raise service.NotReachable(f"{client.provider.name} cannot be reached at present. Try again later.") from None
    secure = is_secure(request, settings)
    cookie = providers.flows.begin(flow)
    response.set_cookie(
        _cookie(secure=secure), cookie, max_age=LASTS_S, path="/", httponly=True, samesite="lax", secure=secure
    )
    return Started(address=address)


@router.get(
    "/providers/{provider_id}/callback",
    response_class=RedirectResponse,
    status_code=status.HTTP_303_SEE_OTHER,
    responses=errors(NoSuchProvider, AddressTooLong),
)
async def come_back(
    provider_id: ProviderId,
    request: Request,
    cookies: SessionCookiesDep,
    db: DatabaseDep,
    limits: SignInLimitsDep,
    providers: ProvidersDep,
    who: Visitor,
    callback: Annotated[Callback, Query()],
) -> RedirectResponse:
    """Complete a sign-in. The provider redirects the browser to this address. If the sign-in fails, the response redirects
    to a page that says why.
    """
    client, secure = _client(providers, provider_id), is_secure(request, cookies.settings)
    flow = providers.flows.take(request.cookies.get(_cookie(secure=secure), ""), provider_id, callback.state)
    back = _Back(db, limits, client, who)
    try:
        if flow is None or (callback.iss and callback.iss != client.provider.issuer):
            raise Refused(SignInProblem.STALE)
        answer = await back.enter(cookies, flow, callback.code)
    except Refused as refused:
        page = "/account" if flow and flow.account_id else "/sign-in"
        then = {"then": flow.then} if flow else {}
        query = urlencode({"trouble": refused.problem, "provider": client.provider.id, **then})
        answer = RedirectResponse(f"{page}?{query}", status.HTTP_303_SEE_OTHER)
    answer.delete_cookie(_cookie(secure=secure), path="/", httponly=True, samesite="lax", secure=secure)
    return answer


@router.get("/me/providers", responses=errors(NotSignedIn, SessionRequired, AccountRequired))
async def list_links(caller: Member, db: DatabaseDep, providers: ProvidersDep) -> LinkList:
    """The identity providers that are linked to this account."""
    by_issuer = {client.provider.issuer: client.provider for client in providers.clients.values()}
    async with db.read() as session:
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
async def unlink(provider_id: ProviderId, caller: Member, db: DatabaseDep, providers: ProvidersDep) -> None:
    """Remove the link between this account and a provider. Signing in to the account with the provider is then impossible."""
    await service.unlink(db, caller.account, _client(providers, provider_id).provider)


class _Back:
    """Completes the sign-in of a browser that comes back from a provider."""

    def __init__(self, db: Database, limits: SignInLimits, client: Client, who: Identity | None) -> None:
        self._db, self._limits, self._client, self._who = db, limits, client, who

    async def enter(self, cookies: SessionCookies, flow: Flow, code: str) -> RedirectResponse:
        """Sign in, or link the provider to the current account, depending on how the flow was started. Raises `Refused`."""
        if not code:
            raise Refused(SignInProblem.CANCELLED)
        try:
            person = await self._client.person(flow, code)
        except ProviderFailed as error:
            log.warning("provider_failed", provider=flow.provider, reason=str(error))
            raise Refused(SignInProblem.FAILED) from None
        db, provider = self._db, self._client.provider
        answer = RedirectResponse(flow.then, status.HTTP_303_SEE_OTHER)
        if flow.account_id:
            if self._who is None or self._who.account.id != flow.account_id:
                raise Refused(SignInProblem.STALE)
            await service.link(db, self._who.account, provider, person)
            return answer
        account = await service.sign_in(db, service.Caller(self._limits, cookies.origin), provider, person)
        await keep_guests_work(db, self._who.account if self._who else None, account)
        await replace(cookies, response=answer).sign_in(db, account)
        return answer


def _client(providers: Providers, provider_id: str) -> Client:
    if client := providers.clients.get(provider_id):
        return client
    raise NoSuchProvider("There is no such provider here.")


async def _member(who: Identity | None) -> Identity:
    if who is None:
        raise NotSignedIn
    return await require_member(who)


def _cookie(*, secure: bool) -> str:
    return "__Host-gradus_flow" if secure else "gradus_flow"
