"""Objects that live as long as the application, looked up by their type.

The application registers each object once, with `provide`. A route declares the type that it needs as a dependency:

    DatabaseDep = Annotated[Database, Depends(provided(Database))]

The dependency is defined next to the class that it provides. A package that uses it therefore needs to import only packages on
which it depends anyway, and not the application.
"""

import functools
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

from fastapi import FastAPI, Request

Kind = TypeVar("Kind")


def provide(app: FastAPI, *objects: object) -> None:
    """Register objects under their own types. A later object replaces an earlier one of the same type."""
    app.state.provided = getattr(app.state, "provided", {}) | {type(each): each for each in objects}


def lookup(app: FastAPI, kind: type[Kind]) -> Kind:
    """Return the object registered under this type. Raises `KeyError` if there is none."""
    return cast(Kind, app.state.provided[kind])


# The result is cached, so that all dependencies on one type are the same function. FastAPI then calls it once per request.
@functools.cache
def provided(kind: type[Kind]) -> Callable[[Request], Awaitable[Kind]]:
    """Return a FastAPI dependency that returns the object registered under this type."""

    # The function is `async`, because FastAPI runs synchronous dependencies in a thread.
    async def dependency(request: Request) -> Kind:
        return lookup(request.app, kind)

    return dependency
