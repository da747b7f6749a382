"""Defines the one format of all errors that the API returns.

Every error response is `{code, message, status, fields?}`. The meaning of a `code` never changes. `message` tells the user
what to do. Services raise subclasses of `ApiError`. Status 422 is only for malformed input.
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

from api.kit.db.transient_errors import is_passing

log = structlog.get_logger()
CODES = {
    400: "malformed_request",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_too_slow",
    413: "body_too_large",
}
SOON = {"Retry-After": "3"}
# Maximum number of invalid fields that a response lists. A request can contain a million invalid fields.
FIELDS = 20
MESSAGES = {
    400: "The request's body could not be read: send UTF-8 JSON.",
    404: "There is nothing at this address. All addresses are listed at /api/docs.",
    405: "This address does not support this method. All addresses are listed at /api/docs.",
}


class FieldError(BaseModel):
    """An invalid field of a request, and what is wrong with it."""

    field: str
    message: str


class ErrorBody(BaseModel):
    """The body of every error response."""

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
    """Base class of the errors that services raise on purpose. Subclasses set `status` and `code`."""

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
    """The request has no valid session or API token."""

    status, code = 401, "not_signed_in"

    def __init__(self, message: str = "Sign in first, or send an API token as 'Authorization: Bearer …'.") -> None:
        super().__init__(message, headers={"WWW-Authenticate": "Bearer"})


class Forbidden(ApiError):
    """The caller is signed in but is not allowed to do this."""

    status, code = 403, "forbidden"


class CrossSite(ApiError):
    """A page of another site made the browser send this request, together with the session cookie of this site."""

    status, code = 403, "cross_site"


class TooManyRequests(ApiError):
    """A rate limit or quota is reached. `Retry-After` says when to try again."""

    status, code = 429, "too_many_requests"

    def __init__(self, message: str, *, retry_after_s: float) -> None:
        super().__init__(message, headers={"Retry-After": str(max(1, int(retry_after_s + 0.999)))})


class DatabaseUnavailable(ApiError):
    """The database is unreachable, restarting or full, or two transactions conflicted."""

    status, code = 503, "database_unavailable"


class BadCursor(ApiError):
    """The `cursor` parameter is not a valid cursor."""

    status, code = 422, "bad_cursor"


class AddressTooLong(ApiError):
    """The URL of a request is longer than allowed. Only routes with long query parameters document this error."""

    status, code = 414, "address_too_long"


def errors(*kinds: type[ApiError]) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` argument of a route, which documents its errors in OpenAPI: 422, 500, 503, and the statuses of
    `kinds` with their error codes, and with those of their subclasses: what raises one may raise a more precise one.
    """
    documented: dict[int, list[str]] = {
        422: ["invalid_input"],
        500: ["internal_error"],
        503: [DatabaseUnavailable.code],
    }
    for kind in kinds:
        for each in (kind, *kind.__subclasses__()):
            documented.setdefault(each.status, []).append(each.code)
    return {
        status: {"model": ErrorBody, "description": " or ".join(sorted(set(codes)))}
        for status, codes in sorted(documented.items())
    }


def answer(status: int, code: str, message: str, **more: Any) -> JSONResponse:
    """Build the response for an error. `more` may contain `fields` and `headers`."""
    body: dict[str, Any] = {"code": code, "message": message, "status": status}
    if more.get("fields"):
        body["fields"] = [field.model_dump() for field in more["fields"]]
    return JSONResponse(body, status_code=status, headers=more.get("headers"))


def install(app: FastAPI) -> None:
    """Install handlers that turn every exception into a response in the format of `ErrorBody`."""

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
        unavailable = DatabaseUnavailable(
            "The database is not available at the moment. Try again in a few seconds.", headers=SOON
        )
        return await refused(request, unavailable)

    @app.exception_handler(Exception)
    async def broken(_: Request, __: Exception) -> JSONResponse:
        return answer(500, "internal_error", "The service failed unexpectedly. The error was logged. Try again.")


def _allowed(app: FastAPI, path: str) -> str:
    """Return all methods that a path supports. Starlette reports only those of the first route that matches."""
    routes = [route for route in iter_route_contexts(app.routes) if re.fullmatch(route.path_regex, path)]
    return ", ".join(sorted({method for route in routes for method in route.methods or ()}))


def too_large(limit_kb: int) -> HTTPException:
    """Return the error for a request body over the limit. It is an `HTTPException`, because the error is raised while FastAPI
    reads the body, and FastAPI then replaces errors of all other types.
    """
    return HTTPException(413, f"The request's body is over {limit_kb} KiB. Send less.")


def too_often(wait_s: float) -> TooManyRequests:
    """Return the error for a client that exceeded its rate limit."""
    return TooManyRequests(
        "Too many requests in a short time. Wait a few seconds, then continue.", retry_after_s=wait_s
    )


def too_slow(limit_s: float) -> HTTPException:
    """Return the error for a request body that does not arrive in time. `too_large` says why this is an `HTTPException`."""
    return HTTPException(
        408, f"The request did not arrive within {limit_s:g} seconds. Send it again.", {"Connection": "close"}
    )


PLAIN = {
    "missing": "is required",
    "extra_forbidden": "is not known here; check its spelling at /api/docs",
    "model_attributes_type": "must be a JSON object, sent as 'Content-Type: application/json'",
}

# Pydantic names the length of a text that a validator has changed in "items", and its messages speak of "Input" and "Value".
LIMITS = {
    "too_short": ("least", "min_length"),
    "string_too_short": ("least", "min_length"),
    "too_long": ("most", "max_length"),
    "string_too_long": ("most", "max_length"),
}


def _message(item: dict[str, Any]) -> str:
    kind, given = item["type"], item.get("ctx", {})
    if kind in LIMITS:
        bound, name = LIMITS[kind]
        limit = given[name]
        if bound == "least" and limit == 1:
            return "must not be empty"
        what = "character" if isinstance(item.get("input"), str) else "item"
        return f"must have at {bound} {limit:,} {what}{'' if limit == 1 else 's'}"
    if kind == "multiple_of":
        return f"must be a multiple of {given['multiple_of']:g}"
    # The validator of email addresses gives its reason as a sentence, and Pydantic puts words before it.
    return PLAIN.get(kind) or str(given.get("reason") or item["msg"])


def _field(item: dict[str, Any]) -> FieldError:
    if item["type"] == "json_invalid":
        return FieldError(
            field="body", message=f"not valid JSON at character {item['loc'][-1]}: {item['ctx']['error']}"
        )
    place = [str(part) for part in item["loc"]]
    name = ".".join(place[1:] if place[0] in ("body", "query", "path", "header") and len(place) > 1 else place)
    return FieldError(field=name, message=_message(item))
