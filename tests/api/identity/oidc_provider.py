"""Runs a real but minimal OpenID Connect provider over HTTP. It signs in any person, and sends forged data if a test asks for
this.
"""

import asyncio
import base64
import contextlib
import hashlib
import secrets
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import parse_qs, urlencode

import uvicorn
from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

from tests.api.serving import Server

CLIENT, SECRET = "gradus", "a client's secret"


@dataclass
class LittleProvider:
    """The provider, and the data that it sends. `person` holds the claims of the person who signs in. A test can replace claims
    of the ID token with `lies`, its header fields with `header`, and entries of the discovery document with `about`.
    """

    issuer: str
    person: dict[str, Any] = field(default_factory=dict)
    lies: dict[str, Any] = field(default_factory=dict)
    header: dict[str, Any] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    signs_with: Any = None

    def settings(self, provider_id: str = "acme") -> dict[str, str]:
        """Return this provider's entry for GRADUS_OIDC_PROVIDERS."""
        return {
            "id": provider_id,
            "name": "Acme",
            "issuer": self.issuer,
            "client_id": CLIENT,
            "client_secret": SECRET,
        }

    def description(self) -> dict[str, Any]:
        """Return the discovery document."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            **self.about,
        }

    def id_token(self, nonce: str) -> str:
        """Return a signed ID token for the person."""
        moment = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": moment, "exp": moment + 60, "nonce": nonce}
        claims = {name: value for name, value in {**claims, **self.person, **self.lies}.items() if value is not None}
        header = {"alg": "RS256", "kid": "one", **self.header}
        if header["alg"] == "none":
            parts = [jwt.encode({"alg": "RS256"}, claims, self.key).split(".")[1]]
            head = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
            return f"{head}.{parts[0]}."
        key = OctKey.import_key(SECRET) if header["alg"] == "HS256" else self.signs_with or self.key
        return jwt.encode(header, claims, key, algorithms=[header["alg"]])


def app_of(provider: LittleProvider) -> FastAPI:
    """Return an application with the provider's routes."""
    app = FastAPI()

    @app.get("/.well-known/openid-configuration")
    async def about() -> dict[str, Any]:
        return provider.description()

    @app.get("/keys")
    async def keys() -> dict[str, Any]:
        return dict(KeySet([provider.key]).as_dict(private=False))

    @app.get("/authorize")
    async def authorize(redirect_uri: str, state: str, nonce: str, code_challenge: str) -> Response:
        code = secrets.token_hex(8)
        provider.codes[code] = {"nonce": nonce, "challenge": code_challenge, "redirect_uri": redirect_uri}
        return RedirectResponse(f"{redirect_uri}?{urlencode({'code': code, 'state': state})}", 302)

    @app.post("/token")
    async def token(request: Request, _: Annotated[str, Query()] = "") -> Response:
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        known = provider.codes.pop(form["code"], None)
        login = request.headers.get("authorization", "")
        right = base64.b64encode(b"gradus:a%20client%27s%20secret").decode()
        digest = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        if known is None or login != f"Basic {right}" or digest != known["challenge"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        assert form["redirect_uri"] == known["redirect_uri"]
        return JSONResponse({"id_token": provider.id_token(known["nonce"]), "token_type": "Bearer"})

    return app


@contextlib.asynccontextmanager
async def oidc_provider() -> AsyncIterator[LittleProvider]:
    """Run the provider on a free port until the `with` block ends."""
    listening = socket.create_server(("127.0.0.1", 0))
    provider = LittleProvider(f"http://127.0.0.1:{listening.getsockname()[1]}")
    server = Server(uvicorn.Config(app_of(provider), log_config=None))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield provider
    finally:
        server.should_exit = True
        await serving
