"""Sets the session cookie at sign-in, and deletes it at sign-out."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.identity.sessions import known_devices
from api.identity.sessions.current_account import COOKIE, RequestOrigin, cookie_name, is_secure
from api.identity.sessions.origin import Origin
from api.identity.sign_in import service
from api.kit.db.database import Database
from api.kit.http.dependencies import SettingsDep
from api.settings import Settings


@dataclass(frozen=True)
class SessionCookies:
    """Reads cookies from `request` and sets cookies on `response`."""

    request: Request
    response: Response
    settings: Settings
    origin: Origin

    async def sign_in(self, db: Database, account: Account) -> None:
        """Create a session for the account, and set its cookie."""
        async with db.write() as session:
            await self.open_session(session, account)

    async def open_session(self, session: AsyncSession, account: Account, cookie: str = COOKIE) -> None:
        """Create a session and set its cookie, like `sign_in`, but within the caller's transaction. If the browser already
        has a session whose cookie has this name, that session ends.
        """
        settings, secure = self.settings, is_secure(self.request, self.settings)
        name = cookie_name(cookie, secure=secure)
        replaces = self.request.cookies.get(name)
        token = await service.open_session(session, account, self.origin, settings, replaces=replaces)
        self._set(name, token, settings.session_days, secure=secure)
        # Candidates sign in with a link and have no password, so their devices are not remembered.
        if account.has_password:
            known = cookie_name(known_devices.COOKIE, secure=secure)
            self._set(known, known_devices.proof(account), known_devices.DAYS, secure=secure)

    def delete(self) -> None:
        """Delete the session cookie in the browser."""
        secure = is_secure(self.request, self.settings)
        self.response.delete_cookie(cookie_name(secure=secure), path="/", httponly=True, samesite="lax", secure=secure)

    def _set(self, name: str, value: str, days: int, *, secure: bool) -> None:
        self.response.set_cookie(
            name, value, max_age=days * 86400, path="/", httponly=True, samesite="lax", secure=secure
        )


async def session_cookies(
    request: Request, response: Response, settings: SettingsDep, origin: RequestOrigin
) -> SessionCookies:
    """Return the object that reads this request's cookies and sets cookies on its response. Used as a FastAPI dependency."""
    return SessionCookies(request, response, settings, origin)


SessionCookiesDep = Annotated[SessionCookies, Depends(session_cookies)]
