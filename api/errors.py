"""One family of errors and one way to answer them.

Every refusal is `{code, message, status, fields?}`: `code` never changes its meaning, `message` is a sentence for a
person that says what to do. Services raise subclasses of `ApiError`; 422 is only for malformed input.
"""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException, RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException as StarletteHTTPException

from api.outage import is_passing

log = structlog.get_logger()
CODES = {
    400: "malformed_request",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_too_slow",
    413: "body_too_large",
}
SOON = {"Retry-After": "3"}
# So many fields are named in one answer; a request can be wrong in a million places.
FIELDS = 20
MESSAGES = {
    400: "The request's body could not be read: send UTF-8 JSON.",
    404: "There is nothing at this address. The list of addresses is at /api/docs.",
    405: "This address does not take this method. The list of addresses is at /api/docs.",
}


class FieldError(BaseModel):
    """One field that cannot be accepted."""

    field: str
    message: str


class ErrorBody(BaseModel):
    """How every error is answered."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"code": "challenge_not_found", "message": "There is no challenge 'x'.", "status": 404}
        }
    )
    code: str
    message: str
    status: int
    fields: list[FieldError] | None = None


class ApiError(Exception):
    """Base of every refusal; subclasses fix `status` and `code`."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "bad_request"

    def __init__(
        self, message: str, *, headers: dict[str, str] | None = None, fields: Sequence[FieldError] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.headers = headers or {}
        self.fields = list(fields)


class NotSignedIn(ApiError):
    """Nobody is signed in, or the credential is no longer valid."""

    status, code = 401, "not_signed_in"

    def __init__(self, message: str = "Sign in first, or send an API token as 'Authorization: Bearer …'.") -> None:
        super().__init__(message, headers={"WWW-Authenticate": "Bearer"})


class Forbidden(ApiError):
    """Signed in, but not allowed."""

    status, code = 403, "forbidden"


class CrossSite(ApiError):
    """A request with our cookie that another site made the browser send."""

    status, code = 403, "cross_site"


class TooManyRequests(ApiError):
    """A quota is used up; `Retry-After` says when to come back."""

    status, code = 429, "too_many_requests"

    def __init__(self, message: str, *, retry_after_s: float) -> None:
        super().__init__(message, headers={"Retry-After": str(max(1, int(retry_after_s + 0.999)))})


class DatabaseUnavailable(ApiError):
    """The database is away, starts again or has no room, or two stood in each other's way there."""

    status, code = 503, "database_unavailable"


class BadCursor(ApiError):
    """The cursor was not made by this service."""

    status, code = 422, "bad_cursor"


def errors(*kinds: type[ApiError]) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: the error model for 422, 500, 503 and each of `kinds`, with their codes."""
    documented: dict[int, list[str]] = {
        422: ["invalid_input"],
        500: ["internal_error"],
        503: [DatabaseUnavailable.code],
    }
    for kind in kinds:
        documented.setdefault(kind.status, []).append(kind.code)
    return {
        status: {"model": ErrorBody, "description": " or ".join(sorted(set(codes)))}
        for status, codes in sorted(documented.items())
    }


def answer(status: int, code: str, message: str, **more: Any) -> JSONResponse:
    """The response for an error; `more` may hold `fields` and `headers`."""
    body: dict[str, Any] = {"code": code, "message": message, "status": status}
    if more.get("fields"):
        body["fields"] = [field.model_dump() for field in more["fields"]]
    return JSONResponse(body, status_code=status, headers=more.get("headers"))


def install(app: FastAPI) -> None:
    """Answer every kind of exception in the one shape."""

    @app.exception_handler(ApiError)
    async def refused(_: Request, error: ApiError) -> JSONResponse:
        return answer(error.status, error.code, error.message, fields=error.fields, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        fields = [_field(item) for item in error.errors()[:FIELDS]]
        return answer(422, "invalid_input", f"{fields[0].field}: {fields[0].message}", fields=fields)

    @app.exception_handler(StarletteHTTPException)
    async def http(request: Request, error: StarletteHTTPException) -> JSONResponse:
        message = MESSAGES.get(error.status_code, str(error.detail))
        code = CODES.get(error.status_code, "http_error")
        headers = {"Allow": _allowed(app, request.url.path)} if error.status_code == 405 else error.headers
        return answer(error.status_code, code, message, headers=headers)

    @app.exception_handler(DBAPIError)
    async def away(request: Request, error: DBAPIError) -> JSONResponse:
        if not is_passing(error):
            raise error
        log.error("database_unavailable", error=" ".join(str(error.orig).split()))
        told = DatabaseUnavailable(
            "The database cannot be used at this moment. Try again in a few seconds.", headers=SOON
        )
        return await refused(request, told)

    @app.exception_handler(Exception)
    async def broken(_: Request, __: Exception) -> JSONResponse:
        return answer(500, "internal_error", "Something broke on our side. It was logged; please try again.")


def _allowed(app: FastAPI, path: str) -> str:
    """Methods of an address; the framework names only those of the first route that fits."""
    routes = [route for route in iter_route_contexts(app.routes) if re.fullmatch(route.path_regex, path)]
    return ", ".join(sorted({method for route in routes for method in route.methods or ()}))


def too_large(limit_kb: int) -> HTTPException:
    """For the body limit, which strikes while the framework reads: it lets only its own exception through."""
    return HTTPException(413, f"The request's body is over {limit_kb} KiB. Send less.")


def too_often(wait_s: float) -> TooManyRequests:
    """For whoever sends more requests than anybody needs."""
    return TooManyRequests("Too many requests in a short time. Please wait a little, then go on.", retry_after_s=wait_s)


def too_slow(limit_s: float) -> HTTPException:
    """For a body that does not arrive; see `too_large`."""
    return HTTPException(
        408, f"The request did not arrive within {limit_s:g} seconds. Send it again.", {"Connection": "close"}
    )


PLAIN = {
    "missing": "is required",
    "extra_forbidden": "is not known here; check its spelling at /api/docs",
    "model_attributes_type": "must be a JSON object, sent as 'Content-Type: application/json'",
}


def _field(item: dict[str, Any]) -> FieldError:
    if item["type"] == "json_invalid":
        return FieldError(
            field="body", message=f"not valid JSON at character {item['loc'][-1]}: {item['ctx']['error']}"
        )
    place = [str(part) for part in item["loc"]]
    name = ".".join(place[1:] if place[0] in ("body", "query", "path", "header") and len(place) > 1 else place)
    return FieldError(field=name, message=PLAIN.get(item["type"], str(item["msg"])))
