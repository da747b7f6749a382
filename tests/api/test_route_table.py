"""Tests that the table of routes finds the same route as Starlette's router, for every route of the service."""

import re
from typing import Any

import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import RouteContext, iter_route_contexts
from httpx import ASGITransport, AsyncClient
from starlette.routing import Match

from api.app import _routes
from api.kit.metrics import template_of
from api.route_table import RouteTable

pytestmark = pytest.mark.anyio
# A WebSocket has no methods. Only the router can serve it.
ROUTES = [route for route in iter_route_contexts(_routes()) if route.methods]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{'-'.join(sorted(route.methods))} {route.path}")
async def test_every_route_is_found_as_by_trying_all_of_them(route: RouteContext) -> None:
    path = re.sub(r"\{[^}]*\}", "7", route.path or "")
    for method in route.methods or ():
        scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "root_path": ""}
        first = next(each for each in ROUTES if each.matches(scope)[0] is Match.FULL)
        assert await _found(scope) == (first.endpoint, (method, first.path))


async def _found(scope: dict[str, Any]) -> tuple[Any, tuple[str, str]]:
    """Return the endpoint of the route that the table finds, and what the metrics call it."""

    async def stop(*_: Any) -> None:
        raise LookupError

    class Stopped:
        """A route that ends where its own application would be called."""

        def __init__(self, route: RouteContext) -> None:
            self.methods, self.path, self.matches, self.app = route.methods, route.path, route.matches, stop

    with pytest.raises(LookupError):
        await RouteTable([Stopped(each) for each in ROUTES], _nothing)(scope, _nothing, _nothing)  # type: ignore[misc, arg-type]
    return scope["endpoint"], template_of(scope)


async def _nothing(*_: Any) -> None:
    raise AssertionError("the table found no route")


async def test_what_no_route_matches_is_left_to_the_router() -> None:
    app, router = FastAPI(), APIRouter()

    @router.get("/things/{name}")
    async def read(name: str) -> str:
        return name

    app.include_router(router, prefix="/api")
    app.router.middleware_stack = RouteTable(iter_route_contexts(app.routes), app.router.middleware_stack)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://here") as http:
        assert (await http.get("/api/things/one%20two")).json() == "one two"
        told = [(await http.request(*each)).status_code for each in (("POST", "/api/things/a"), ("GET", "/api/none/a"))]
        assert told == [405, 404]
        assert (await http.get("/api/things/a/")).status_code == 307
