"""Parses JSON request bodies. A body that is not valid UTF-8, or whose JSON would be expensive to parse (nested too deeply, or
with huge numbers), gets a 422 response that says what is wrong.
"""

import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute


class JsonRequest(Request):
    """A request whose body is decoded even if it contains bytes that are not UTF-8, so that the error can say where the first
    of these bytes is.
    """

    async def json(self) -> Any:
        """Return the parsed body. A byte that is not UTF-8 becomes a lone surrogate, which `text.clean_text` reports with its
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
    """Parse a JSON document. Raises `JSONDecodeError`, also for NaN and Infinity: Python's parser accepts them, but they are
    not JSON.
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
