"""Registering, signing in and out, sessions, API tokens, the first admin."""

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import JSONResponse

from api.accounts import credentials, service
from api.accounts.cookies import enter, forget_cookie
from api.accounts.credentials import CredentialNotFound, Identity, TooManyTokens
from api.accounts.identity import (
    AccountRequired,
    Anybody,
    Browser,
    Caller,
    Member,
    RequestOrigin,
    SessionRequired,
    Visitor,
    origin_of,
)
from api.accounts.models import Account, AccountSession, ApiToken
from api.accounts.schemas import (
    AccountView,
    CreatedToken,
    Credentials,
    LetterSent,
    NewPassword,
    NewToken,
    Registration,
    SessionList,
    SessionView,
    SetUp,
    TokenList,
    TokenView,
)
from api.bodies import JsonRoute
from api.errors import CrossSite, Forbidden, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.state import StateOf

router = APIRouter(tags=["accounts"], route_class=JsonRoute)


@router.post(
    "/accounts",
    status_code=status.HTTP_201_CREATED,
    response_model=AccountView,
    responses={
        **errors(CrossSite, Forbidden, service.EmailTaken, TooManyRequests),
        202: {"model": LetterSent, "description": "A letter with a link was sent: the account is made with it."},
    },
)
async def register(
    body: Registration, request: Request, response: Response, state: StateOf, origin: RequestOrigin, who: Visitor
) -> Account | JSONResponse:
    """Make an account and sign in to it (a session cookie is set). What a guest did in this browser is kept.
    Where letters leave by e-mail, a letter goes to the address instead, and nobody learns whether it has an account.
    """
    if state.settings.letters_leave:
        await service.ask_to_register(state.db, state.door, body, origin)
        return JSONResponse(LetterSent(email=body.email).model_dump(), status.HTTP_202_ACCEPTED)
    account = await service.register(state.db, state.door, body, origin)
    await service.keep_guests_work(state.db, who.account if who else None, account)
    await enter(request, response, state, account)
    return account


@router.post(
    "/guest",
    status_code=status.HTTP_201_CREATED,
    response_model=AccountView,
    responses={
        **errors(CrossSite, TooManyRequests),
        200: {"model": AccountView, "description": "Somebody is signed in here already."},
    },
)
async def begin_as_guest(
    request: Request, response: Response, state: StateOf, origin: RequestOrigin, who: Visitor
) -> Account:
    """Try the site without an account: a session cookie is set, and a small quota holds. Signing up keeps what was done."""
    if who is not None:
        response.status_code = status.HTTP_200_OK
        return who.account
    account = await service.begin_as_guest(state.db, state.door, origin)
    await enter(request, response, state, account)
    return account


@router.post(
    "/setup",
    status_code=status.HTTP_201_CREATED,
    response_model=AccountView,
    responses=errors(CrossSite, Forbidden, service.WrongCredentials, service.AlreadySetUp),
)
async def set_up(body: SetUp, request: Request, response: Response, state: StateOf) -> Account:
    """Claim this site: make the first admin with the set-up token from the console. Works once."""
    account = await service.set_up(state.db, state.door, body, body.token)
    await enter(request, response, state, account)
    return account


@router.post(
    "/session",
    response_model=AccountView,
    responses=errors(CrossSite, service.WrongCredentials, credentials.Banned, TooManyRequests),
)
async def sign_in(
    body: Credentials, request: Request, response: Response, state: StateOf, origin: RequestOrigin, who: Visitor
) -> Account:
    """Sign in: sets an HttpOnly session cookie. What a guest did in this browser is kept."""
    account = await service.sign_in(state.db, state.door, body.email, body.password, origin)
    await service.keep_guests_work(state.db, who.account if who else None, account)
    await enter(request, response, state, account)
    return account


@router.delete("/session", status_code=status.HTTP_204_NO_CONTENT, responses=errors(CrossSite, NotSignedIn))
async def sign_out(request: Request, response: Response, state: StateOf, identity: Anybody) -> None:
    """Sign out: the session of this cookie ends. Harmless when nobody is signed in."""
    if identity is not None and identity.via == "session":
        async with state.db.write() as session:
            await credentials.revoke(session, AccountSession, identity.account.id, identity.credential_id)
    forget_cookie(request, response, state)


@router.get("/me", response_model=AccountView, responses=errors(NotSignedIn))
async def me(caller: Caller) -> Account:
    """Who is signed in."""
    return caller.account


@router.get("/me/sessions", response_model=SessionList, responses=errors(NotSignedIn))
async def list_sessions(caller: Caller, state: StateOf) -> SessionList:
    """Where this account is signed in."""
    async with state.db.read() as session:
        rows = await credentials.list_sessions(session, caller.account.id, state.settings.session_idle_hours)
    return SessionList(items=[_session_view(row, caller) for row in rows])


@router.delete(
    "/me/sessions/{session_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, SessionRequired, CredentialNotFound),
)
async def revoke_session(session_id: Id, caller: Browser, state: StateOf) -> None:
    """Sign another browser out."""
    async with state.db.write() as session:
        await credentials.revoke(session, AccountSession, caller.account.id, session_id)


@router.delete(
    "/me/sessions",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, SessionRequired),
)
async def revoke_all_sessions(request: Request, response: Response, caller: Browser, state: StateOf) -> None:
    """Sign out everywhere, here too. API tokens go on working."""
    async with state.db.write() as session:
        await credentials.revoke_all(session, AccountSession, caller.account.id)
    forget_cookie(request, response, state)


@router.post(
    "/me/password",
    response_model=AccountView,
    responses=errors(
        CrossSite, NotSignedIn, SessionRequired, AccountRequired, service.WrongCredentials, TooManyRequests
    ),
)
async def change_password(
    body: NewPassword, request: Request, response: Response, caller: Member, state: StateOf
) -> Account:
    """Change the password: every session ends, and this browser gets a fresh one."""
    origin = await origin_of(request)
    account = await service.change_password(state.db, state.door, caller.account, body, origin)
    await enter(request, response, state, account)
    return account


@router.get("/me/tokens", response_model=TokenList, responses=errors(NotSignedIn))
async def list_tokens(caller: Caller, state: StateOf) -> TokenList:
    """API tokens of this account, without their secrets."""
    async with state.db.read() as session:
        rows = await credentials.list_tokens(session, caller.account.id)
    return TokenList(items=[TokenView.model_validate(row) for row in rows])


@router.post(
    "/me/tokens",
    status_code=status.HTTP_201_CREATED,
    response_model=CreatedToken,
    responses=errors(CrossSite, NotSignedIn, SessionRequired, AccountRequired, TooManyTokens),
)
async def create_token(body: NewToken, caller: Member, state: StateOf) -> CreatedToken:
    """Make an API token for programs (`Authorization: Bearer …`). It is shown in this answer and never again."""
    row, secret = await credentials.create_token(state.db, caller.account.id, body.name, state.settings.api_tokens)
    return CreatedToken(**TokenView.model_validate(row).model_dump(), token=secret)


@router.delete(
    "/me/tokens/{token_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, CredentialNotFound),
)
async def revoke_token(token_id: Id, caller: Caller, state: StateOf) -> None:
    """Make an API token worthless at once."""
    async with state.db.write() as session:
        await credentials.revoke(session, ApiToken, caller.account.id, token_id)


def _session_view(row: AccountSession, caller: Identity) -> SessionView:
    return SessionView(
        id=row.id,
        agent=row.agent,
        address=row.address,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        expires_at=row.expires_at,
        current=row.id == caller.credential_id,
    )
