"""Dependencies that identify the sender of a request. A route without one of them is public.

They look up the application's objects themselves (`lookup`). FastAPI solves a dependency with all of its own dependencies once
for each dependency that names it, and nearly every request has several that name `identify`.

Protection against cross-site request forgery: a request with an unsafe method and without a Bearer token must come from a page
of this site. The service checks this with the header `Sec-Fetch-Site` or, for older browsers, with `Origin`. Browsers always
send at least one of these headers. A program that sends neither is not a browser, so another site cannot make it send
requests. SameSite=Lax cookies are a second line of defence.
"""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from api.identity.accounts.candidates import is_candidate
from api.identity.accounts.guests import is_guest
from api.identity.sessions import known_devices
from api.identity.sessions.credential_lookup import CredentialLookup
from api.identity.sessions.credentials import Identity
from api.identity.sessions.origin import Origin
from api.identity.sessions.request_limit import RequestLimit
from api.kit.errors import ApiError, CrossSite, Forbidden, NotSignedIn, too_often
from api.kit.http.provided import lookup
from api.kit.http.throttle import network
from api.kit.text import printable
from api.settings import Settings

COOKIE = "gradus_session"
# The cookie of a candidate's session. It is a separate cookie, so that a user who takes an assessment remains signed in to the
# account that the browser already uses.
TAKING = "gradus_take"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class SessionRequired(ApiError):
    """This action requires a browser session, so that a leaked API token cannot be used to create more tokens or to lock the
    owner out.
    """

    status, code = 403, "session_required"


class AccountRequired(ApiError):
    """This action is not possible for guests, who have no password and no tokens."""

    status, code = 403, "account_required"


class CandidateOnlyTakes(ApiError):
    """The caller is a candidate, who signed in with an invitation and can do nothing else than take the assessment."""

    status, code = 403, "candidate_only_takes"


def is_secure(request: HTTPConnection, settings: Settings) -> bool:
    """Return whether the browser reaches this site over HTTPS."""
    return settings.https or request.url.scheme in ("https", "wss")


def cookie_name(name: str = COOKIE, *, secure: bool) -> str:
    """Return the full name of a cookie. Over HTTPS, the name begins with `__Host-`, so that another subdomain of the same
    domain cannot set a cookie with this name.
    """
    return f"__Host-{name}" if secure else name


def bearer(request: HTTPConnection) -> str | None:
    """Return the API token in the Authorization header, or None."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


async def same_site(request: Request) -> None:
    """Refuse a request with an unsafe method that was sent by a page of another site. Raises `CrossSite`."""
    if request.method in SAFE_METHODS or bearer(request):
        return
    require_own_page(request)


def require_own_page(request: HTTPConnection) -> None:
    """Refuse a request, or the opening of a WebSocket, that was sent by a page of another site. Raises `CrossSite`."""
    fetch_site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if fetch_site in ("same-origin", "none") or (fetch_site is None and origin is None):
        return
    ours = {request.headers.get("host"), _host(lookup(request.app, Settings).public_url)} - {None, ""}
    if fetch_site is None and origin and _host(origin) in ours:
        return
    raise CrossSite("This request came from another site's page, so it was refused. Use this site's own pages.")


async def identify(request: HTTPConnection) -> Identity | None:
    """Return the account that sent this request, or None if nobody is signed in. A request with an invalid API token is
    refused; it does not count as anonymous. Raises `NotSignedIn`, `CandidateOnlyTakes`, `TooManyRequests`.
    """
    identity = await _identified(request)
    if identity is not None:
        _limit(request, identity)
    return identity


async def _identified(request: HTTPConnection) -> Identity | None:
    if token := bearer(request):
        identity = await lookup(request.app, CredentialLookup).by_token(token)
        if identity is None:
            raise NotSignedIn(
                "This API token is not valid: it was mistyped or revoked. Create a new one on your account page."
            )
        if identity.account.ban is not None:
            raise NotSignedIn(f"An admin of this site has banned this account: {identity.account.ban}")
        return identity
    return await in_this_browser(request)


async def in_this_browser(request: HTTPConnection) -> Identity | None:
    """Return the account of this browser's session, or None. Raises `CandidateOnlyTakes`."""
    identity = await _by_cookie(request, COOKIE)
    if identity is not None and is_candidate(identity.account):
        raise CandidateOnlyTakes(
            "An invitation opens its assessment and nothing else. Sign in with an account for this."
        )
    return identity


async def require_candidate(request: Request) -> Identity:
    """Return the candidate who takes an assessment in this browser. Raises `NotSignedIn`, `TooManyRequests`."""
    identity = await _by_cookie(request, TAKING)
    if identity is None or not is_candidate(identity.account):
        raise NotSignedIn("No assessment is open in this browser. Open your invitation link.")
    _limit(request, identity)
    return identity


def _limit(request: HTTPConnection, identity: Identity) -> None:
    if wait := lookup(request.app, RequestLimit).take(identity.account.id):
        raise too_often(wait)


async def candidate_in_this_browser(request: Request) -> Identity | None:
    """Return the candidate who takes or has taken an assessment in this browser, or None."""
    identity = await _by_cookie(request, TAKING)
    return identity if identity is not None and is_candidate(identity.account) else None


async def _by_cookie(request: HTTPConnection, name: str) -> Identity | None:
    secure = is_secure(request, lookup(request.app, Settings))
    cookie = request.cookies.get(cookie_name(name, secure=secure))
    return await lookup(request.app, CredentialLookup).by_cookie(cookie) if cookie else None


async def require_account(identity: Annotated[Identity | None, Depends(identify)]) -> Identity:
    """Return the account that is signed in. Raises `NotSignedIn`."""
    if identity is None:
        raise NotSignedIn
    return identity


async def require_session(identity: Annotated[Identity, Depends(require_account)]) -> Identity:
    """Return the account if it is signed in with a browser session. Raises `NotSignedIn`, `SessionRequired`."""
    if identity.via != "session":
        raise SessionRequired("This is not possible with an API token. Sign in with email and password.")
    return identity


async def require_member(identity: Annotated[Identity, Depends(require_session)]) -> Identity:
    """Return the account if it is signed in with a browser session and is not a guest. Raises `NotSignedIn`,
    `SessionRequired`, `AccountRequired`.
    """
    if is_guest(identity.account):
        raise AccountRequired("This is not possible as a guest. Create an account first; it keeps your work.")
    return identity


async def require_admin(identity: Annotated[Identity, Depends(require_account)]) -> Identity:
    """Return the account if it is an admin. Raises `NotSignedIn`, `Forbidden`."""
    if not identity.is_admin:
        raise Forbidden("Only an admin of this site may do this.")
    return identity


async def origin_of(request: Request) -> Origin:
    """Return the address, network, browser and device of a request."""
    host = printable(request.client.host) if request.client else ""
    secure = is_secure(request, lookup(request.app, Settings))
    device = request.cookies.get(cookie_name(known_devices.COOKIE, secure=secure), "")
    return Origin(host, network(host), printable(request.headers.get("user-agent", "")), device)


def _host(url: str) -> str:
    return urlsplit(url).netloc


Caller = Annotated[Identity, Depends(require_account)]
Browser = Annotated[Identity, Depends(require_session)]
Member = Annotated[Identity, Depends(require_member)]
Anybody = Annotated[Identity | None, Depends(identify)]
Visitor = Annotated[Identity | None, Depends(in_this_browser)]
Candidate = Annotated[Identity, Depends(require_candidate)]
Admin = Annotated[Identity, Depends(require_admin)]
RequestOrigin = Annotated[Origin, Depends(origin_of)]
