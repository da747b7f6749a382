"""Following the links in letters, and asking for such letters."""

from fastapi import APIRouter, Request, Response, status

from api.accounts.again import SignInAgain, require_again
from api.accounts.cookies import enter
from api.accounts.identity import AccountRequired, Member, RequestOrigin, SessionRequired, Visitor
from api.accounts.links import BadLink
from api.accounts.models import Account
from api.accounts.schemas import AccountView, LetterSent
from api.accounts.service import EmailTaken, WrongCredentials, keep_guests_work
from api.addresses import service
from api.addresses.schemas import Address, ConfirmedAccount, ConfirmedAddress, NewAddress, ResetPassword
from api.bodies import JsonRoute
from api.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.state import State, StateOf

router = APIRouter(tags=["accounts"], route_class=JsonRoute)
SENT = status.HTTP_202_ACCEPTED
OF_A_MEMBER = (CrossSite, NotSignedIn, SessionRequired, AccountRequired, TooManyRequests)


@router.post(
    "/accounts/confirm",
    status_code=status.HTTP_201_CREATED,
    response_model=AccountView,
    responses=errors(CrossSite, BadLink, EmailTaken, WrongCredentials, TooManyRequests),
)
async def confirm_account(
    body: ConfirmedAccount, request: Request, response: Response, state: StateOf, who: Visitor
) -> Account:
    """Make the account that a letter's link is for, and sign in to it. What a guest did in this browser is kept."""
    account = await service.confirm_account(state.db, state.door, body.token, body.password)
    await keep_guests_work(state.db, who.account if who else None, account)
    await enter(request, response, state, account)
    return account


@router.post("/email/confirm", responses=errors(CrossSite, BadLink, EmailTaken))
async def confirm_address(body: ConfirmedAddress, state: StateOf) -> Address:
    """Prove by a letter's link that an address is one's own. Nobody need be signed in."""
    return Address(email=await service.confirm_address(state.db, body.token))


@router.post("/password/forgotten", status_code=SENT, responses=errors(CrossSite, TooManyRequests))
async def forgot_password(body: Address, state: StateOf, origin: RequestOrigin) -> LetterSent:
    """If there is an account with this address, a letter with a link to choose a new password goes there."""
    await service.ask_to_reset(state.db, state.door, body.email, origin)
    return _sent(state, body.email)


@router.post("/password/reset", status_code=status.HTTP_204_NO_CONTENT, responses=errors(CrossSite, BadLink))
async def reset_password(body: ResetPassword, state: StateOf) -> None:
    """Choose a new password by a letter's link: every session and API token of the account ends."""
    await service.reset_password(state.db, body.token, body.password)


@router.post("/me/email/letter", status_code=SENT, responses=errors(*OF_A_MEMBER))
async def send_verification(caller: Member, state: StateOf, origin: RequestOrigin) -> LetterSent:
    """Another letter with a link that verifies this account's address, if it is not verified yet."""
    await service.ask_to_verify(state.db, state.door, caller.account, origin)
    return _sent(state, caller.account.email)


@router.post("/me/email", status_code=SENT, responses=errors(*OF_A_MEMBER, WrongCredentials, SignInAgain))
async def change_address(body: NewAddress, caller: Member, state: StateOf, origin: RequestOrigin) -> LetterSent:
    """Move to another address: a letter goes there, and the account has it once its link is followed."""
    await require_again(state, caller, body.password, origin)
    await service.ask_to_move(state.db, state.door, caller.account, body.email, origin)
    return _sent(state, body.email)


def _sent(state: State, email: str) -> LetterSent:
    return LetterSent(email=email, by="email" if state.settings.letters_leave else "console")
