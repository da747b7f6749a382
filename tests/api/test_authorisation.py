"""Sends real requests for every route in every role, and compares authorisation.toml with the service's routes."""

import re
import secrets
import tomllib
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from api.app import create_app
from tests.api.challenge_folders import write_challenge
from tests.api.requests_by_role import GENEROUS, Stage, ask
from tests.api.running_service import running, settings_in
from tests.api.topic_folders import with_picture, write_topic, write_track

TABLE = tomllib.loads((Path(__file__).parent / "authorisation.toml").read_text())
ROLES, ROUTES = TABLE["roles"], TABLE["routes"]
TEAM = tomllib.loads((Path(__file__).parent / "team_roles.toml").read_text())
PUBLIC = {"topics", "tracks", "shared", "profiles", "providers"}


def routes_of(app: FastAPI) -> set[str]:
    """Return `METHOD path` of every route of the app, including those that the OpenAPI description omits."""
    routed = {f"{method} {item.path}" for item in iter_route_contexts(app.routes) for method in item.methods or ()}
    described = {f"{verb.upper()} {path}" for path, verbs in app.openapi()["paths"].items() for verb in verbs}
    assert described < routed, "the pages at / and /api/docs are in no description"
    return routed


def test_table_has_every_route_and_no_other(home: Path) -> None:
    assert routes_of(create_app(settings_in(home))) == ROUTES.keys()
    assert all(len(cells) == len(ROLES) for cells in ROUTES.values())


def test_table_of_a_team_has_every_route_of_it_and_no_other(home: Path) -> None:
    of_teams = {route for route in routes_of(create_app(settings_in(home))) if "/teams/{team_id}" in route}
    assert of_teams == TEAM["routes"].keys()


@pytest.mark.anyio
async def test_every_role_of_a_team_gets_what_its_table_says(home: Path) -> None:
    write_challenge(home / "challenges")
    wrong = {}
    async with running(settings_in(home, **GENEROUS)) as service:
        stage = await Stage.set(service)
        for route, cells in TEAM["routes"].items():
            parameters: dict[str, str] = {}
            for role, expected in zip(TEAM["roles"], cells, strict=True):
                parameters = parameters or await stage.parameters(route)
                await stage.seat(parameters["team_id"], stage.accounts["other"].id, role)
                answer = await ask(await stage.client("other"), route, parameters)
                if answer.status_code != expected:
                    wrong[f"{role}: {route}"] = f"{answer.status_code}, not {expected}: {answer.text[:200]}"
                if answer.is_success:
                    # The request may have changed the objects or the credentials, so the next request gets new ones.
                    parameters = {}
                    stage.credentials.clear()
                if answer.status_code == 403:
                    own = "not_your_note" if "{note_id}" in route else "role_too_low"
                    assert answer.json()["code"] == own, route
    assert wrong == {}


@pytest.mark.anyio
async def test_every_role_gets_what_the_table_says(home: Path) -> None:
    with_picture(write_challenge(home / "challenges"))
    write_topic(home / "challenges")
    write_track(home / "challenges")
    wrong = {}
    async with running(settings_in(home, **GENEROUS)) as service:
        stage = await Stage.set(service)
        for route, cells in ROUTES.items():
            parameters: dict[str, str] = {}
            for role, expected in zip(ROLES, cells, strict=True):
                client = await stage.client(role)
                parameters = parameters or await stage.parameters(route)
                answer = await ask(client, route, parameters)
                if answer.is_success:
                    # The request may have changed the objects or the credentials, so the next request gets new ones.
                    parameters = {}
                    stage.credentials.clear()
                if answer.status_code != expected:
                    wrong[f"{role}: {route}"] = f"{answer.status_code}, not {expected}: {answer.text[:200]}"
                if answer.status_code >= 400 and answer.status_code != 503:
                    assert answer.json()["status"] == answer.status_code, route
                await client.aclose()
    assert wrong == {}


@pytest.mark.anyio
async def test_things_of_others_look_as_if_they_were_not_there(home: Path) -> None:
    with_picture(write_challenge(home / "challenges"))
    write_topic(home / "challenges")
    private = [route for route in ROUTES if "_id}" in route and not PUBLIC & set(route.split("/"))]
    compared = 0
    async with running(settings_in(home, **GENEROUS)) as service:
        stage = await Stage.set(service)
        for route in private:
            found = await stage.parameters(route)
            absent = {name: value if name == "slug" else secrets.token_hex(16) for name, value in found.items()}
            client = await stage.client("other")
            theirs, nothing = await ask(client, route, found), await ask(client, route, absent)
            assert (theirs.status_code, theirs.json()) == (nothing.status_code, nothing.json()), route
            assert _told(theirs) == _told(nothing), route
            compared += theirs.status_code == 404
    assert compared == sum(ROUTES[route][ROLES.index("other")] == 404 for route in private) > 30


@pytest.mark.anyio
async def test_every_other_method_is_refused(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        client = service.client()
        for path in {route.partition(" ")[2] for route in ROUTES}:
            for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"):
                if f"{method} {path}" in ROUTES:
                    continue
                answer = await client.request(method, path.format(**dict.fromkeys(_names(path), "0" * 32)))
                assert answer.status_code == 405, (method, path)
                assert method == "HEAD" or answer.json()["code"] == "method_not_allowed"
                assert set(answer.headers["allow"].split(", ")) == _methods(path), (method, path)
                assert "access-control-allow-origin" not in answer.headers


def _names(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)


def _methods(path: str) -> set[str]:
    return {route.partition(" ")[0] for route in ROUTES if route.partition(" ")[2] == path}


def _told(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in ("x-request-id", "date")}
