"""Routes with which users export their data and delete their account."""

from fastapi import APIRouter, status
from fastapi.responses import StreamingResponse

from api.hiring.teams.service import LastOwner
from api.identity.sessions.current_account import AccountRequired, Browser, Member, RequestOrigin, SessionRequired
from api.identity.sign_in.cookies import SessionCookiesDep
from api.identity.sign_in.reauthentication import SignInAgain, require_again
from api.identity.sign_in.service import SignInLimitsDep, WrongCredentials
from api.kit.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.ops.privacy import service
from api.ops.privacy.export import export, file_name
from api.ops.privacy.schemas import Leave

router = APIRouter(tags=["accounts"], route_class=JsonRoute)


@router.get(
    "/me/export",
    response_class=StreamingResponse,
    responses={
        **errors(NotSignedIn, SessionRequired, TooManyRequests),
        200: {"content": {"application/json": {}}, "description": "A list of rows for each table."},
    },
)
async def export_account(caller: Browser, db: DatabaseDep, limits: SignInLimitsDep) -> StreamingResponse:
    """Everything that this site stores about your account, as a JSON file: the account itself, its sessions, its submissions
    with sources and results, its quizzes, and all other data.
    """
    exports, account = limits.exports, caller.account
    if wait := exports.wait_s(account.id):
        raise TooManyRequests(
            "You exported your data several times in a short time. Try again later.", retry_after_s=wait
        )
    exports.count(account.id)
    headers = {"Content-Disposition": f'attachment; filename="{file_name(account)}"'}
    return StreamingResponse(export(db, account.id), media_type="application/json", headers=headers)


@router.delete(
    "/me",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(
        CrossSite,
        NotSignedIn,
        SessionRequired,
        AccountRequired,
        WrongCredentials,
        SignInAgain,
        TooManyRequests,
        service.LastAdmin,
        LastOwner,
    ),
)
async def erase_account(
    body: Leave,
    caller: Member,
    cookies: SessionCookiesDep,
    db: DatabaseDep,
    limits: SignInLimitsDep,
    origin: RequestOrigin,
) -> None:
    """Delete this account and all data about it, immediately and permanently. Requires the password or, if the account has
    none, a recent sign-in.
    """
    await require_again(db, limits, caller, body.password, origin)
    await service.erase(db, caller.account)
    cookies.delete()
