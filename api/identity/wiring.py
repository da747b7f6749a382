"""Connects this package to the application: its routes, its objects, and what happens at shutdown."""

import contextlib
from collections.abc import AsyncIterator

from fastapi import FastAPI

from api.identity.audit import routes as audit
from api.identity.email_addresses import routes as email_addresses
from api.identity.providers import routes as providers
from api.identity.providers.registry import Providers
from api.identity.sessions.credential_lookup import CredentialLookup
from api.identity.sessions.request_limit import RequestLimit
from api.identity.sign_in import routes as sign_in
from api.identity.sign_in.service import SignInLimits
from api.kit.db.database import Database
from api.kit.http.provided import lookup, provide
from api.settings import Settings

ROUTERS = [each.router for each in (sign_in, email_addresses, providers, audit)]
TAGS = [
    {"name": "accounts", "description": "Registering, signing in, email addresses, sessions, API tokens, leaving."},
]


def build(app: FastAPI, settings: Settings) -> None:
    """Create the objects that the routes of this package use, and register them in the application."""
    lookups = CredentialLookup(lookup(app, Database), settings.session_idle_hours)
    provide(app, SignInLimits(settings), Providers(settings), RequestLimit(settings), lookups)


@contextlib.asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """At shutdown, wait until the credential look-ups that have begun are complete."""
    yield
    await lookup(app, CredentialLookup).close()
