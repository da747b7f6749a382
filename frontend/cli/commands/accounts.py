"""Defines the commands `gradus login`, `logout`, `whoami` and `use`. They set or show the account and the service that all
other commands use.
"""

import os
import platform
import sys
from typing import Annotated

import typer
from rich.text import Text

from frontend.cli import clean
from frontend.cli.failure import Failure, misused
from frontend.cli.rendering import screen
from frontend.cli.service import servers
from frontend.cli.service.client import Client, connected, not_signed_in
from frontend.cli.service.records import Account, NewToken, Tokens
from frontend.cli.service.servers import Server

Url = Annotated[str, typer.Argument(metavar="[URL]", help="URL of the service. Default: the current one.")]


def login(url: Url = "") -> None:
    """Sign in with an API token from your account page, or with email and password. A token can also be piped in."""
    stored = servers.load()
    url = servers.normal(url or os.environ.get("GRADUS_URL") or stored.current or servers.DEFAULT_URL)
    if servers.is_unencrypted(url):
        screen.notice("This URL does not begin with https: others on the network could read your token.")
    if sys.stdin.isatty():
        screen.console().print(f"Signing in at {url}")
        token = typer.prompt(
            "API token (Enter for email and password)", default="", hide_input=True, show_default=False
        )
    else:
        token = sys.stdin.readline().strip()
    # The input is hidden, so users who misread the prompt may type their email address. No token contains an @.
    token = token.strip()
    server = Server(token) if token and "@" not in token else _by_password(url, token)
    account = _account(url, server.token)
    stored.servers[url], stored.current = server, url
    servers.save(stored)
    screen.console().print(Text(f"Signed in at {url} as {clean.line(account.name)}.", style="good"))
    if os.environ.get("GRADUS_TOKEN"):
        screen.notice("The variable GRADUS_TOKEN is set and takes precedence over the token that was stored now.")


def logout(url: Url = "") -> None:
    """Sign out: revoke and forget the stored token."""
    stored = servers.load()
    url = servers.normal(url or stored.current or servers.DEFAULT_URL)
    server = stored.servers.pop(url, None)
    if server is None:
        raise misused(f"You are not signed in at {url}. `gradus use` lists where you are signed in.")
    if stored.current == url:
        stored.current = next(iter(stored.servers), "")
    revoked = _revoke(url, server)
    servers.save(stored)
    outcome = (
        "its token was revoked."
        if revoked
        else "its token was removed from this machine. Revoke it on your account page."
    )
    screen.console().print(f"Signed out at {url}; {outcome}")


def whoami() -> None:
    """Show which account and which service are in use."""
    with connected(screen.notice) as client:
        if not client.token:
            raise not_signed_in(client.url)
        account = client.get("/me", Account)
    address = f" ({clean.line(account.email)})" if account.email else ""
    screen.console().print(f"{clean.line(account.name)}{address}, {clean.line(account.role)} at {client.url}")


def use(url: Url = "") -> None:
    """Switch to another service where you are signed in. Without a URL, list these services."""
    stored = servers.load()
    if url:
        chosen = servers.normal(url)
        if chosen not in stored.servers:
            raise misused(f"You are not signed in at {chosen}. Sign in with: gradus login {chosen}")
        stored.current = chosen
        servers.save(stored)
    if not stored.servers:
        screen.console().print("You are not signed in anywhere. Sign in with: gradus login URL")
    for known in stored.servers:
        screen.console().print(f"{'*' if known == stored.current else ' '} {known}")


def _by_password(url: str, email: str = "") -> Server:
    """Signs in with email and password, creates an API token for this machine, and ends the session. Returns the token."""
    if not sys.stdin.isatty():
        came = "An email address" if email else "No token"
        raise misused(f"{came} came through the pipe. Send one line with an API token, or sign in at a terminal.")
    client = Client(url, notice=screen.notice)
    with client.http:
        if email:
            screen.console().print(Text(f"That is an email address: signing in as {clean.line(email)}."))
        email = email or typer.prompt("Email")
        password = typer.prompt("Password", hide_input=True)
        client.post("/session", Account, {"email": email, "password": password})
        try:
            name = f"gradus on {clean.line(platform.node()) or 'a terminal'}"[:80]
            made = client.post("/me/tokens", NewToken, {"name": name})
        finally:
            client.delete("/session")
    return Server(made.token, made.id)


def _account(url: str, token: str) -> Account:
    client = Client(url, token)
    with client.http:
        try:
            return client.get("/me", Account)
        except Failure as failure:
            if failure.code == "not_signed_in":
                raise Failure(
                    "The service does not know this token. Copy it again from your account page."
                ) from failure
            raise


def _revoke(url: str, server: Server) -> bool:
    """Revokes the stored token. Returns whether the service no longer accepts it.

    If the token's id is not stored, looks for it in the account's list of tokens, by the first characters of the token.
    """
    client = Client(url, server.token)
    with client.http:
        try:
            token_id = server.token_id or _found(client, server.token)
            if token_id:
                client.delete(f"/me/tokens/{token_id}")
            return bool(token_id)
        except Failure as failure:
            # With this code, the service says that it does not accept the token, so there is nothing to revoke.
            return failure.code == "not_signed_in"


def _found(client: Client, token: str) -> str:
    same = [each.id for each in client.get("/me/tokens", Tokens).items if token.startswith(each.hint.rstrip("…"))]
    return same[0] if len(same) == 1 else ""
