"""Tests that a route finds an object of the application by the object's type, and that each application has its own objects."""

from typing import Annotated

import httpx
import pytest
from fastapi import Depends, FastAPI

from api.kit.http.provided import lookup, provide, provided

pytestmark = pytest.mark.anyio


class Greeting(str):
    """An object that an application provides."""


async def test_a_route_gets_the_object_of_its_own_application() -> None:
    async def greet(greeting: Annotated[Greeting, Depends(provided(Greeting))]) -> str:
        return greeting

    for words in ("hello", "good evening"):
        app = FastAPI()
        app.get("/")(greet)
        provide(app, 1)
        provide(app, Greeting(words))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as http:
            assert (await http.get("/")).json() == words
        assert lookup(app, int) == 1


async def test_an_object_that_nobody_provided_is_an_error() -> None:
    app = FastAPI()
    provide(app)
    with pytest.raises(KeyError):
        lookup(app, Greeting)
