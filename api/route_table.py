"""Finds the route of a request by dictionary.

Starlette's router compares a request with one route after the other, and FastAPI repeats this for the routes of the router that
matched. With hundreds of routes, this took longer than everything else that a small request needs.
"""

from collections import defaultdict
from collections.abc import Iterable

from fastapi.routing import RouteContext
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

# The method, the number of segments of the path, and its first two segments.
Key = tuple[str, int, str, str]


class RouteTable:
    """ASGI application that hands a request to the first of `routes` that matches its method and its path. A request that no
    route matches goes to `otherwise`, the router of the same routes, which responds with 404 or 405, or serves a file.

    The first two segments of a route's path must not be parameters, and no parameter may contain a slash.
    """

    def __init__(self, routes: Iterable[RouteContext], otherwise: ASGIApp) -> None:
        self._otherwise = otherwise
        self._routes: dict[Key, list[RouteContext]] = defaultdict(list)
        for route in routes:
            # A mounted application has no methods. Only the router can serve it.
            for method in route.methods or ():
                self._routes[_key(method, route.path or "")].append(route)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            for route in self._routes.get(_key(scope["method"], scope["path"]), ()):
                match, matched = route.matches(scope)
                if match is Match.FULL:
                    scope.update(matched, route=route)
                    await route.app(scope, receive, send)
                    return
        await self._otherwise(scope, receive, send)


def _key(method: str, path: str) -> Key:
    _, first, second, *_ = f"{path}//".split("/", 3)
    return method, path.count("/"), first, second
