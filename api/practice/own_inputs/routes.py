"""Routes to compare an answer with the reference on an input that the account wrote. This is a submission of the kind
`compare`: it is queued, judged, followed and cancelled like any other. It never counts as an attempt.

The result says something about the reference, so there are none for guests, in assessments and in mock interviews, and only a
few an hour for each challenge.
"""

from fastapi import APIRouter, Response

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStoreDep
from api.content.embargo import EmbargoDep, InYourAssessment
from api.identity.accounts.guests import is_guest
from api.identity.sessions.current_account import AccountRequired, Anybody, Caller
from api.judging.dispatch.dispatcher import DispatcherDep
from api.judging.intake import intake
from api.judging.intake.batching import SubmissionWriterDep
from api.judging.intake.default_device import default_device
from api.judging.intake.intake import SubmissionData
from api.judging.intake.quota import challenge_limit
from api.judging.intake.routes import REPEATED, submit
from api.judging.intake.schemas import SubmissionView
from api.kit.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, IdempotencyKey, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.practice.own_inputs import service
from api.practice.own_inputs.schemas import NewOwnInput, OwnInputExample, OwnInputOffer
from api.practice.running_interviews.restrictions import AskedInInterview, restrictions_of
from grader.content.own_input.offer import example_calls_of
from grader.contract.job import Kind

router = APIRouter(tags=["own inputs"], route_class=JsonRoute)
CLOSED = (NotSignedIn, ChallengeNotFound, AskedInInterview, InYourAssessment)
REFUSALS = errors(
    *CLOSED,
    CrossSite,
    AccountRequired,
    service.NoOwnInput,
    intake.KeyReused,
    intake.SourceTooLarge,
    intake.DeviceNotOffered,
    TooManyRequests,
)


@router.get("/challenges/{slug}/own-input", response_model=OwnInputOffer, responses=errors(*CLOSED))
async def get_own_input_offer(
    slug: SlugInPath,
    viewer: Anybody,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    settings: SettingsDep,
    embargo: EmbargoDep,
) -> OwnInputOffer:
    """The functions and modules that you can compare with the reference on your own input, and how many inputs you have left."""
    package = store.catalogue.get(slug).package
    await embargo.refuse_challenge(slug, "own input")
    limit = challenge_limit(Kind.COMPARE, settings)
    assert limit is not None
    free, next_at = limit.number, None
    if viewer:
        async with db.read() as session:
            (await restrictions_of(session, viewer.account.id)).refuse_challenge(slug)
            free, next_at = await service.left(session, viewer.account.id, slug, limit)
    examples = [OwnInputExample(name=name, input=text) for name, text in example_calls_of(package).items()]
    return OwnInputOffer(examples=examples, per_hour=limit.number, left=free, next_at=next_at)


@router.post(
    "/challenges/{slug}/own-inputs",
    status_code=201,
    response_model=SubmissionView,
    responses={**REFUSALS, **REPEATED},
)
async def run_own_input(
    slug: SlugInPath,
    body: NewOwnInput,
    caller: Caller,
    db: DatabaseDep,
    writer: SubmissionWriterDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
    response: Response,
    embargo: EmbargoDep,
    idempotency_key: IdempotencyKey = None,
) -> SubmissionView:
    """Compare an answer with the reference on your own input. The result says whether the two results match, their shapes and
    dtypes, and the largest difference. It does not contain values of the reference. The verdict AC means that they match.
    """
    package = store.catalogue.get(slug).package
    await embargo.refuse_challenge(slug, "own input")
    account = caller.account
    if is_guest(account):
        raise AccountRequired("Comparing with the reference needs an account. Create one first; it keeps your work.")
    service.require_offered(package)
    async with db.read() as session:
        (await restrictions_of(session, account.id)).refuse_challenge(slug)
    device = body.device or default_device(package)
    sent = SubmissionData(account.id, Kind.COMPARE, device, body.source, body.input, idempotency_key, account.role)
    return await submit(writer, package, sent, dispatcher, response)
