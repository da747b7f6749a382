"""Parses JSON request bodies. Bytes that are not UTF-8, and JSON that is built to be expensive to parse, get a 422 response
that says what is wrong.
"""

import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute


class JsonRequest(Request):
    """A request that also decodes a body with bytes that are not UTF-8, so that the error can say where the first of them
    is.
    """

    async def json(self) -> Any:
        """Return the parsed body. Invalid bytes become lone surrogates, which `text.clean_text` reports with their
        position.
        """
        return parse((await self.body()).decode("utf-8", "surrogateescape"))


class JsonRoute(APIRoute):
    """A route that reads its body through `JsonRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return a handler that calls FastAPI's own handler with a `JsonRequest`."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return await handler(JsonRequest(request.scope, request.receive))

        return handle


def parse(text: str) -> Any:
    """Parse a JSON document. Raises `JSONDecodeError`, also for Python's extensions (NaN, Infinity), which other parsers
    reject.
    """
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise json.JSONDecodeError("nested too deeply", "", 0) from None
    except ValueError as error:
        # Python refuses integers of thousands of digits, because parsing them takes quadratic time.
        what = str(error) if "JSON" in str(error) else "a number has too many digits"
        raise json.JSONDecodeError(what, "", 0) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
