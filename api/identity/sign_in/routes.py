"""Routes for registration, sign-in and sign-out, sessions, API tokens, and the first admin."""

from fastapi import APIRouter, status
from fastapi.responses import JSONResponse

from api.identity.accounts.models import Account, AccountSession, ApiToken
from api.identity.sessions import credentials
from api.identity.sessions.credentials import CredentialNotFound, Identity, TooManyTokens
from api.identity.sessions.current_account import (
    AccountRequired,
    Anybody,
    Browser,
    Caller,
    Member,
    RequestOrigin,
    SessionRequired,
    Visitor,
)
from api.identity.sign_in import reauthentication, service
from api.identity.sign_in.cookies import SessionCookiesDep
from api.identity.sign_in.schemas import (
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
from api.identity.sign_in.service import SignInLimitsDep
from api.kit.errors import CrossSite, Forbidden, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(tags=["accounts"], route_class=JsonRoute)


@router.post(
    "/accounts",
    status_code=status.HTTP_201_CREATED,
    response_model=AccountView,
    responses={
        **errors(CrossSite, Forbidden, service.EmailTaken, TooManyRequests),
        202: {"model": LetterSent, "description": "An email with a link was sent; the link creates the account."},
    },
)
async def register(
    body: Registration,
    cookies: SessionCookiesDep,
    db: DatabaseDep,
    limits: SignInLimitsDep,
    origin: RequestOrigin,
    who: Visitor,
) -> Account | JSONResponse:
    """Create an account and sign in to it (sets a session cookie). If this browser is signed in as a guest, the guest's
    work is moved to the account. If this site sends email, the account is not created yet: a link is sent to the address
    instead, and the response does not reveal whether the address already has an account.
    """
    if limits.settings.sends_mail:
        await service.ask_to_register(db, limits, body, origin)
        return JSONResponse(LetterSent(email=body.email).model_dump(), status.HTTP_202_ACCEPTED)
    account = await service.register(db, limits, body, origin)
    await service.keep_guests_work(db, who.account if who else None, account)
    await cookies.sign_in(db, account)
    return account


@router.post(
    "/guest",
    status_code=status.HTTP_201_CREATED,
    response_model=AccountView,
    responses={
        **errors(CrossSite, TooManyRequests),
        200: {"model": AccountView, "description": "An account is signed in already in this browser."},
    },
)
async def begin_as_guest(
    cookies: SessionCookiesDep,
    db: DatabaseDep,
    limits: SignInLimitsDep,
    origin: RequestOrigin,
    who: Visitor,
) -> Account:
    """Create a guest account, to try the site without signing up. Sets a session cookie. Guests may have fewer unfinished
    submissions at a time. If the guest signs up or signs in later with this browser, the guest's work is moved to that account.
    """
    if who is not None:
        cookies.response.status_code = status.HTTP_200_OK
        return who.account
    account = await service.begin_as_guest(db, limits, origin)
    await cookies.sign_in(db, account)
    return account


@router.post(
    "/setup",
    status_code=status.HTTP_201_CREATED,
    response_model=AccountView,
    responses=errors(CrossSite, Forbidden, service.WrongCredentials, service.AlreadySetUp),
)
async def set_up(body: SetUp, cookies: SessionCookiesDep, db: DatabaseDep, limits: SignInLimitsDep) -> Account:
    """Create the first admin of this site with the setup token that the service printed on its console. Works only once."""
    account = await service.set_up(db, limits, body, body.token)
    await cookies.sign_in(db, account)
    return account


@router.post(
    "/session",
    response_model=AccountView,
    responses=errors(CrossSite, service.WrongCredentials, credentials.Banned, TooManyRequests),
)
async def sign_in(
    body: Credentials,
    cookies: SessionCookiesDep,
    db: DatabaseDep,
    limits: SignInLimitsDep,
    origin: RequestOrigin,
    who: Visitor,
) -> Account:
    """Sign in. Sets an HttpOnly session cookie. If this browser is signed in as a guest, the guest's work is moved to the
    account.
    """
    account = await service.sign_in(db, limits, body.email, body.password, origin)
    await service.keep_guests_work(db, who.account if who else None, account)
    await cookies.sign_in(db, account)
    return account


@router.delete("/session", status_code=status.HTTP_204_NO_CONTENT, responses=errors(CrossSite, NotSignedIn))
async def sign_out(cookies: SessionCookiesDep, db: DatabaseDep, identity: Anybody) -> None:
    """Sign out: end the session of this browser. Does nothing if nobody is signed in."""
    if identity is not None and identity.via == "session":
        async with db.write() as session:
            await credentials.revoke(session, AccountSession, identity.account.id, identity.credential_id)
    cookies.delete()


@router.get("/me", response_model=AccountView | None, responses=errors(NotSignedIn))
async def me(identity: Anybody) -> Account | None:
    """The account that is signed in, or `null` if nobody is. A request with an invalid API token gets status 401."""
    return identity.account if identity else None


@router.get("/me/sessions", response_model=SessionList, responses=errors(NotSignedIn))
async def list_sessions(caller: Caller, db: DatabaseDep, settings: SettingsDep) -> SessionList:
    """The browser sessions of this account."""
    async with db.read() as session:
        rows = await credentials.list_sessions(session, caller.account.id, settings.session_idle_hours)
    return SessionList(items=[_session_view(row, caller) for row in rows])


@router.delete(
    "/me/sessions/{session_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, SessionRequired, CredentialNotFound),
)
async def revoke_session(session_id: Id, caller: Browser, db: DatabaseDep) -> None:
    """End one session of this account, for example in another browser."""
    async with db.write() as session:
        await credentials.revoke(session, AccountSession, caller.account.id, session_id)


@router.delete(
    "/me/sessions",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, SessionRequired),
)
async def revoke_all_sessions(cookies: SessionCookiesDep, caller: Browser, db: DatabaseDep) -> None:
    """End all sessions of this account, including the one of this browser. API tokens remain valid."""
    async with db.write() as session:
        await credentials.revoke_all(session, AccountSession, caller.account.id)
    cookies.delete()


@router.post(
    "/me/password",
    response_model=AccountView,
    responses=errors(
        CrossSite, NotSignedIn, SessionRequired, AccountRequired, service.WrongCredentials, TooManyRequests
    ),
)
async def change_password(
    body: NewPassword,
    caller: Member,
    cookies: SessionCookiesDep,
    db: DatabaseDep,
    limits: SignInLimitsDep,
    origin: RequestOrigin,
) -> Account:
    """Change the password. All sessions of the account end, and this browser gets a new session."""
    account = await reauthentication.change_password(db, limits, caller.account, body, origin)
    await cookies.sign_in(db, account)
    return account


@router.get("/me/tokens", response_model=TokenList, responses=errors(NotSignedIn))
async def list_tokens(caller: Caller, db: DatabaseDep) -> TokenList:
    """The API tokens of this account, without their secrets."""
    async with db.read() as session:
        rows = await credentials.list_tokens(session, caller.account.id)
    return TokenList(items=[TokenView.model_validate(row) for row in rows])


@router.post(
    "/me/tokens",
    status_code=status.HTTP_201_CREATED,
    response_model=CreatedToken,
    responses=errors(CrossSite, NotSignedIn, SessionRequired, AccountRequired, TooManyTokens),
)
async def create_token(body: NewToken, caller: Member, db: DatabaseDep, settings: SettingsDep) -> CreatedToken:
    """Create an API token for programs (`Authorization: Bearer …`). The secret is shown only in this response."""
    row, secret = await credentials.create_token(db, caller.account.id, body.name, settings.api_tokens)
    return CreatedToken(**TokenView.model_validate(row).model_dump(), token=secret)


@router.delete(
    "/me/tokens/{token_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, CredentialNotFound),
)
async def revoke_token(token_id: Id, caller: Caller, db: DatabaseDep) -> None:
    """Revoke an API token immediately."""
    async with db.write() as session:
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
