"""The cookie of a session: set when somebody comes in, forgotten when he leaves."""

from fastapi import Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import service
from api.accounts.identity import COOKIE, cookie_name, is_secure, origin_of
from api.accounts.models import Account
from api.state import State


async def enter(request: Request, response: Response, state: State, account: Account, cookie: str = COOKIE) -> None:
    """Open a session and set its cookie. Whatever cookie of this name the browser came with is worthless afterwards."""
    async with state.db.write() as session:
        await enter_with(session, request, response, state, account, cookie)


async def enter_with(
    session: AsyncSession, request: Request, response: Response, state: State, account: Account, cookie: str
) -> None:
    """As `enter`, within a transaction that does more than that."""
    settings, secure = state.settings, is_secure(request, state)
    name = cookie_name(cookie, secure=secure)
    token = await service.open_session(
        session, account, await origin_of(request), settings, replaces=request.cookies.get(name)
    )
    response.set_cookie(
        name,
        token,
        max_age=settings.session_days * 86400,
        path="/",
        httponly=True,
        samesite="lax",
        secure=secure,
    )


def forget_cookie(request: Request, response: Response, state: State) -> None:
    """The browser has no session any more."""
    secure = is_secure(request, state)
    response.delete_cookie(cookie_name(secure=secure), path="/", httponly=True, samesite="lax", secure=secure)
