"""Routes that request mail with one-time links, and routes that the pages behind these links call."""

from fastapi import APIRouter, status

from api.identity.accounts.models import Account
from api.identity.accounts.one_time_links import BadLink
from api.identity.email_addresses import service
from api.identity.email_addresses.schemas import Address, ConfirmedAccount, ConfirmedAddress, NewAddress, ResetPassword
from api.identity.sessions.current_account import AccountRequired, Member, RequestOrigin, SessionRequired, Visitor
from api.identity.sign_in.cookies import SessionCookiesDep
from api.identity.sign_in.reauthentication import SignInAgain, require_again
from api.identity.sign_in.schemas import AccountView, LetterSent
from api.identity.sign_in.service import EmailTaken, SignInLimitsDep, WrongCredentials, keep_guests_work
from api.kit.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.settings import Settings

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
    body: ConfirmedAccount,
    cookies: SessionCookiesDep,
    db: DatabaseDep,
    limits: SignInLimitsDep,
    who: Visitor,
) -> Account:
    """Create the account that a link in a mail confirms, and sign in to it. If this browser is signed in as a
    guest, the guest's work is moved to the account.
    """
    account = await service.confirm_account(db, limits, body.token, body.password)
    await keep_guests_work(db, who.account if who else None, account)
    await cookies.sign_in(db, account)
    return account


@router.post("/email/confirm", responses=errors(CrossSite, BadLink, EmailTaken))
async def confirm_address(body: ConfirmedAddress, db: DatabaseDep) -> Address:
    """Verify an email address with the token from a link in a mail. Requires no sign-in."""
    return Address(email=await service.confirm_address(db, body.token))


@router.post("/password/forgotten", status_code=SENT, responses=errors(CrossSite, TooManyRequests))
async def forgot_password(body: Address, db: DatabaseDep, limits: SignInLimitsDep, origin: RequestOrigin) -> LetterSent:
    """If an account has this address, send a mail with a link for choosing a new password."""
    await service.ask_to_reset(db, limits, body.email, origin)
    return _sent(limits.settings, body.email)


@router.post("/password/reset", status_code=status.HTTP_204_NO_CONTENT, responses=errors(CrossSite, BadLink))
async def reset_password(body: ResetPassword, db: DatabaseDep) -> None:
    """Set a new password with the token from a link in a mail. All sessions and API tokens of the account are revoked."""
    await service.reset_password(db, body.token, body.password)


@router.post("/me/email/letter", status_code=SENT, responses=errors(*OF_A_MEMBER))
async def send_verification(
    caller: Member, db: DatabaseDep, limits: SignInLimitsDep, origin: RequestOrigin
) -> LetterSent:
    """Send another mail with a link that verifies this account's address, if the address is not verified yet."""
    await service.ask_to_verify(db, limits, caller.account, origin)
    return _sent(limits.settings, caller.account.email)


@router.post("/me/email", status_code=SENT, responses=errors(*OF_A_MEMBER, WrongCredentials, SignInAgain))
async def change_address(
    body: NewAddress,
    caller: Member,
    db: DatabaseDep,
    limits: SignInLimitsDep,
    origin: RequestOrigin,
) -> LetterSent:
    """Request a new email address. A mail is sent to the new address. The address changes when the link in the mail is used."""
    await require_again(db, limits, caller, body.password, origin)
    await service.ask_to_move(db, limits, caller.account, body.email, origin)
    return _sent(limits.settings, body.email)


def _sent(settings: Settings, email: str) -> LetterSent:
    return LetterSent(email=email, by="email" if settings.sends_mail else "console")
