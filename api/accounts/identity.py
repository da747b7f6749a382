"""Who is asking: dependencies that a route names in its signature. A route without one is public.

Defence against cross-site requests: an unsafe request without a Bearer token must come from our own pages, told by
`Sec-Fetch-Site` or, in older browsers, by `Origin`. Browsers always send one of them; programs that send neither are
not browsers and cannot be tricked. SameSite=Lax cookies stand behind that.
"""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request

from api.accounts.candidates import is_candidate
from api.accounts.credentials import Identity
from api.accounts.guests import is_guest
from api.accounts.service import Origin
from api.accounts.throttle import network
from api.errors import ApiError, CrossSite, Forbidden, NotSignedIn, too_often
from api.state import State, StateOf
from api.text import printable

COOKIE = "gradus_session"
# Of its own, so that taking an assessment signs nobody out.
TAKING = "gradus_take"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class SessionRequired(ApiError):
    """A leaked API token must not be able to make others, or to lock its owner out."""

    status, code = 403, "session_required"


class AccountRequired(ApiError):
    """A guest has no password and no tokens."""

    status, code = 403, "account_required"


class CandidateOnlyTakes(ApiError):
    """Who came by an invitation takes an assessment, and does nothing else."""

    status, code = 403, "candidate_only_takes"


def is_secure(request: Request, state: State) -> bool:
    """Whether the browser speaks https."""
    return state.settings.https or request.url.scheme == "https"


def cookie_name(name: str = COOKIE, *, secure: bool) -> str:
    """Behind https the prefix makes browsers refuse a cookie of this name that a sister site sets."""
    return f"__Host-{name}" if secure else name


def bearer(request: Request) -> str | None:
    """The API token of a request."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


async def same_site(request: Request, state: StateOf) -> None:
    """Refuse an unsafe request that another site caused. Raises `CrossSite`."""
    if request.method in SAFE_METHODS or bearer(request):
        return
    fetch_site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if fetch_site in ("same-origin", "none") or (fetch_site is None and origin is None):
        return
    ours = {request.headers.get("host"), _host(state.settings.public_url)} - {None, ""}
    if fetch_site is None and origin and _host(origin) in ours:
        return
    raise CrossSite("This request came from another site's page, so it was not carried out. Use this site's own pages.")


async def identify(request: Request, state: StateOf) -> Identity | None:
    """Who sent this request, or None. A wrong Bearer token is an error, not «nobody». Raises `TooManyRequests`."""
    identity = await _identified(request, state)
    if identity is not None and (wait := state.door.requests.take(identity.account.id)):
        raise too_often(wait)
    return identity


async def _identified(request: Request, state: State) -> Identity | None:
    if token := bearer(request):
        identity = await state.callers.by_token(token)
        if identity is None:
            raise NotSignedIn(
                "This API token is not valid: it was mistyped or revoked. Make a new one on your account page."
            )
        if identity.account.ban is not None:
            raise NotSignedIn(f"This account was closed by an admin of this site: {identity.account.ban}")
        return identity
    return await in_this_browser(request, state)


async def in_this_browser(request: Request, state: StateOf) -> Identity | None:
    """Whose session this browser has, or None. Raises `CandidateOnlyTakes`."""
    identity = await _by_cookie(request, state, COOKIE)
    if identity is not None and is_candidate(identity.account):
        raise CandidateOnlyTakes(
            "An invitation opens its assessment and nothing else. Sign in with an account for this."
        )
    return identity


async def require_candidate(request: Request, state: StateOf) -> Identity:
    """Whoever takes an assessment in this browser. Raises `NotSignedIn`, `TooManyRequests`."""
    identity = await _by_cookie(request, state, TAKING)
    if identity is None or not is_candidate(identity.account):
        raise NotSignedIn("No assessment is taken in this browser. Open the link of your invitation.")
    if wait := state.door.requests.take(identity.account.id):
        raise too_often(wait)
    return identity


async def _by_cookie(request: Request, state: State, name: str) -> Identity | None:
    cookie = request.cookies.get(cookie_name(name, secure=is_secure(request, state)))
    return await state.callers.by_cookie(cookie) if cookie else None


async def require_account(identity: Annotated[Identity | None, Depends(identify)]) -> Identity:
    """Somebody who is signed in. Raises `NotSignedIn`."""
    if identity is None:
        raise NotSignedIn
    return identity


async def require_session(identity: Annotated[Identity, Depends(require_account)]) -> Identity:
    """Somebody who is signed in by a browser. Raises `NotSignedIn`, `SessionRequired`."""
    if identity.via != "session":
        raise SessionRequired("An API token may not do this. Sign in with e-mail and password.")
    return identity


async def require_member(identity: Annotated[Identity, Depends(require_session)]) -> Identity:
    """Somebody with an account of their own, by a browser. Raises `NotSignedIn`, `SessionRequired`, `AccountRequired`."""
    if is_guest(identity.account):
        raise AccountRequired("A guest cannot do this. Make an account first; what you did is kept.")
    return identity


async def require_admin(identity: Annotated[Identity, Depends(require_account)]) -> Identity:
    """An admin. Raises `NotSignedIn`, `Forbidden`."""
    if not identity.is_admin:
        raise Forbidden("Only an admin of this site may do this.")
    return identity


async def origin_of(request: Request) -> Origin:
    """Address and browser of a request."""
    host = printable(request.client.host) if request.client else ""
    return Origin(host, network(host), printable(request.headers.get("user-agent", "")))


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
