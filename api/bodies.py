"""Reading JSON: bytes that are not UTF-8, and JSON made to cost much, end as 422 that says what is wrong."""

import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute


class JsonRequest(Request):
    """Reads JSON whose bytes are not all UTF-8, so that the answer can say where the first bad one is."""

    async def json(self) -> Any:
        """The body as JSON; bad bytes become lone surrogates, which `text.clean_text` points at."""
        return parse((await self.body()).decode("utf-8", "surrogateescape"))


class JsonRoute(APIRoute):
    """A route whose body is read by `JsonRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, with our request."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return await handler(JsonRequest(request.scope, request.receive))

        return handle


def parse(text: str) -> Any:
    """A JSON value. Raises `JSONDecodeError`, also for what other parsers would not read."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise json.JSONDecodeError("nested too deeply", "", 0) from None
    except ValueError as error:
        # The interpreter itself refuses integers of thousands of digits, whose reading takes quadratic time.
        what = str(error) if "JSON" in str(error) else "a number has too many digits"
        raise json.JSONDecodeError(what, "", 0) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
