"""Client of one identity provider. It reads the provider's metadata and keys, exchanges a code for an id token, and
validates that token (OpenID Connect Core 1.0, sections 3.1.2 and 3.1.3.7; PKCE, RFC 7636).
"""

import ssl
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from api.external_service_settings import Provider
from api.identity.providers.flows import Flow

# Only asymmetric algorithms are accepted. With a symmetric one, anybody who knows the client secret could sign tokens.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
SCOPES = "openid email profile"
# The metadata and the keys of a provider are cached for KEPT_S seconds. If a token was signed with a key that is not in the
# cache, they are read again, but at most once every ASK_AGAIN_S seconds.
KEPT_S, ASK_AGAIN_S = 3600.0, 60.0
TIMEOUT_S, MAX_BYTES, LEEWAY_S = 8.0, 1 << 20, 60
HERE = ("localhost", "127.0.0.1", "::1")


class ProviderFailed(Exception):
    """The provider cannot be reached, or its response is not valid. The message is only for the log."""


@dataclass(frozen=True)
class Person:
    """A person as the provider describes them."""

    issuer: str
    subject: str
    email: str
    email_verified: bool
    name: str


@dataclass
class CachedMetadata:
    """A provider's metadata and keys. `at` is the time at which they were read, in seconds of the monotonic clock."""

    about: dict[str, Any]
    keys: KeySet
    at: float


class Client:
    """The client of one provider. `callback` is the URL on this site to which the provider sends the browser back."""

    def __init__(self, provider: Provider, callback: str) -> None:
        self.provider, self._callback = provider, callback
        self._cached: CachedMetadata | None = None
        self._tls: ssl.SSLContext | bool = provider.issuer.startswith("https://")

    async def address(self, flow: Flow) -> str:
        """Return the provider's URL at which the browser signs in. Raises `ProviderFailed`."""
        about = (await self._read()).about
        asked = {
            "response_type": "code",
            "client_id": self.provider.client_id,
            "redirect_uri": self._callback,
            "scope": SCOPES,
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": flow.challenge,
            "code_challenge_method": "S256",
        }
        joint = "&" if urlsplit(about["authorization_endpoint"]).query else "?"
        return f"{about['authorization_endpoint']}{joint}{urlencode(asked)}"

    async def person(self, flow: Flow, code: str) -> Person:
        """Exchange the code that the browser brought back for the identity of the person. Raises `ProviderFailed`."""
        known = await self._read()
        token = (await self._exchange(known.about, flow, code)).get("id_token")
        if not isinstance(token, str):
            raise ProviderFailed("no id token")
        claims = await self._claims(known, token, flow.nonce)
        return Person(
            issuer=self.provider.issuer,
            subject=_text(claims.get("sub"), 255),
            email=_text(claims.get("email", ""), 254).lower(),
            email_verified=claims.get("email_verified") is True,
            name=_text(claims.get("name", ""), 1000),
        )

    async def _exchange(self, about: dict[str, Any], flow: Flow, code: str) -> dict[str, Any]:
        own, secret = self.provider.client_id, self.provider.client_secret.get_secret_value()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._callback,
            "code_verifier": flow.verifier,
        }
        ways = about.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if "client_secret_basic" in ways:
            login = httpx.BasicAuth(quote(own, safe=""), quote(secret, safe=""))
            return await self._ask("POST", about["token_endpoint"], auth=login, data=form)
        return await self._ask(
            "POST", about["token_endpoint"], data={**form, "client_id": own, "client_secret": secret}
        )

    async def _claims(self, known: CachedMetadata, token: str, nonce: str) -> dict[str, Any]:
        own = self.provider.client_id
        rules = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_S,
            iss={"essential": True, "value": self.provider.issuer},
            aud={"essential": True, "value": own},
            exp={"essential": True},
            iat={"essential": True},
            sub={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            try:
                read = jwt.decode(token, known.keys, algorithms=ALGORITHMS)
            except (InvalidKeyIdError, ValueError):
                # The provider may have new keys. Read the keys again, and check the token with them.
                read = jwt.decode(token, (await self._read(fresh=True)).keys, algorithms=ALGORITHMS)
            rules.validate(read.claims)
        except (JoseError, ValueError) as error:
            raise ProviderFailed(f"id token: {error}") from None
        several = isinstance(read.claims["aud"], list) and len(read.claims["aud"]) > 1
        if read.claims.get("azp", None if several else own) != own:
            raise ProviderFailed("id token: it was made for another client")
        return dict(read.claims)

    async def _read(self, *, fresh: bool = False) -> CachedMetadata:
        """Return the metadata and the keys of the provider. They are read again if the cached ones are older than an hour or,
        with `fresh`, older than a minute. Tokens with unknown keys therefore cause at most one read per minute.
        """
        age = time.monotonic() - self._cached.at if self._cached else KEPT_S
        if self._cached and age < (ASK_AGAIN_S if fresh else KEPT_S):
            return self._cached
        about = await self._ask("GET", f"{self.provider.issuer.rstrip('/')}/.well-known/openid-configuration")
        if about.get("issuer") != self.provider.issuer:
            raise ProviderFailed(f"it calls itself {about.get('issuer')!r}")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if not _safe(about.get(name)):
                raise ProviderFailed(f"its {name} is no https address")
        keys = await self._ask("GET", about["jwks_uri"])
        try:
            self._cached = CachedMetadata(about, KeySet.import_key_set(keys), time.monotonic())  # type: ignore[arg-type]
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise ProviderFailed(f"its keys cannot be read: {error}") from None
        return self._cached

    async def _ask(self, method: str, url: str, **more: Any) -> dict[str, Any]:
        """Send a request and return the JSON object of the response. The size of the response is limited, and redirects are not
        followed.
        """
        if self._tls is True:
            self._tls = ssl.create_default_context()
        try:
            async with (
                httpx.AsyncClient(timeout=TIMEOUT_S, verify=self._tls) as http,
                http.stream(method, url, headers={"Accept": "application/json"}, **more) as answer,
            ):
                body = b""
                async for part in answer.aiter_bytes():
                    body += part
                    if len(body) > MAX_BYTES:
                        raise ProviderFailed("its answer is too long")
            read = httpx.Response(answer.status_code, content=body)
            content = read.json() if read.status_code == 200 else None
        except (httpx.HTTPError, ValueError) as error:
            raise ProviderFailed(f"{urlsplit(url).path}: {type(error).__name__}") from None
        if not isinstance(content, dict):
            raise ProviderFailed(f"{urlsplit(url).path}: answered with {read.status_code}")
        return content


def _safe(url: object) -> bool:
    if not isinstance(url, str):
        return False
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in HERE)


def _text(value: object, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise ProviderFailed("id token: a claim has no proper text")
    return value
