"""Taking one's data along, and leaving."""

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import StreamingResponse

from api.accounts.again import SignInAgain, require_again
from api.accounts.cookies import forget_cookie
from api.accounts.identity import AccountRequired, Browser, Member, RequestOrigin, SessionRequired
from api.accounts.service import WrongCredentials
from api.bodies import JsonRoute
from api.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.personal import service
from api.personal.export import export, file_name
from api.personal.schemas import Leave
from api.state import StateOf
from api.teams.service import LastOwner

router = APIRouter(tags=["accounts"], route_class=JsonRoute)


@router.get(
    "/me/export",
    response_class=StreamingResponse,
    responses={
        **errors(NotSignedIn, SessionRequired, TooManyRequests),
        200: {"content": {"application/json": {}}, "description": "A list of rows for each table."},
    },
)
async def export_account(caller: Browser, state: StateOf) -> StreamingResponse:
    """Everything that this site knows about the account, as a JSON file: itself, sessions, submissions with their sources and
    results, quizzes and all the rest.
    """
    exports, account = state.door.exports, caller.account
    if wait := exports.wait_s(account.id):
        raise TooManyRequests("Your data was exported several times just now.", retry_after_s=wait)
    exports.count(account.id)
    headers = {"Content-Disposition": f'attachment; filename="{file_name(account)}"'}
    return StreamingResponse(export(state.db, account.id), media_type="application/json", headers=headers)


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
    body: Leave, request: Request, response: Response, caller: Member, state: StateOf, origin: RequestOrigin
) -> None:
    """Erase this account and everything about it, at once and for good. The password is asked again."""
    await require_again(state, caller, body.password, origin)
    await service.erase(state.db, caller.account)
    forget_cookie(request, response, state)
