"""`gradus login`, `logout`, `whoami`, `use`: who is speaking, and to which service."""

import os
import platform
import sys
from typing import Annotated

import typer
from rich.text import Text

from frontend.cli import clean, screen, servers
from frontend.cli.client import Client, connected
from frontend.cli.failure import Failure, misused
from frontend.cli.records import Account, NewToken, Tokens
from frontend.cli.servers import Server

Url = Annotated[str, typer.Argument(metavar="[URL]", help="Address of the service; the current one if left out.")]


def login(url: Url = "") -> None:
    """Sign in: with an API token of your account page, or with e-mail and password. A token may also come from a pipe."""
    stored = servers.load()
    url = servers.normal(url or os.environ.get("GRADUS_URL") or stored.current or servers.DEFAULT_URL)
    if servers.in_the_clear(url):
        screen.notice("This address does not begin with https: others on the way could read your token.")
    if sys.stdin.isatty():
        screen.console().print(f"Signing in at {url}")
        token = typer.prompt(
            "API token (Enter for e-mail and password)", default="", hide_input=True, show_default=False
        )
    else:
        token = sys.stdin.readline().strip()
    server = Server(token.strip()) if token.strip() else _by_password(url)
    account = _account(url, server.token)
    stored.servers[url], stored.current = server, url
    servers.save(stored)
    screen.console().print(Text(f"Signed in at {url} as {clean.line(account.name)}.", style="good"))
    if os.environ.get("GRADUS_TOKEN"):
        screen.notice("The variable GRADUS_TOKEN is set: it goes before what was stored now.")


def logout(url: Url = "") -> None:
    """Sign out: the stored token is revoked and forgotten."""
    stored = servers.load()
    url = servers.normal(url or stored.current or servers.DEFAULT_URL)
    server = stored.servers.pop(url, None)
    if server is None:
        raise misused(f"You are not signed in at {url}. `gradus use` lists where you are.")
    if stored.current == url:
        stored.current = next(iter(stored.servers), "")
    revoked = _revoke(url, server)
    servers.save(stored)
    told = "its token is revoked." if revoked else "its token is forgotten here. Revoke it on your account page."
    screen.console().print(f"Signed out at {url}; {told}")


def whoami() -> None:
    """Whose token is used, and where."""
    with connected(screen.notice) as client:
        account = client.get("/me", Account)
    address = f" ({clean.line(account.email)})" if account.email else ""
    screen.console().print(f"{clean.line(account.name)}{address}, {clean.line(account.role)} at {client.url}")


def use(url: Url = "") -> None:
    """Choose among the services where you are signed in; without an address, list them."""
    stored = servers.load()
    if url:
        chosen = servers.normal(url)
        if chosen not in stored.servers:
            raise misused(f"You are not signed in at {chosen}. Sign in with: gradus login {chosen}")
        stored.current = chosen
        servers.save(stored)
    if not stored.servers:
        screen.console().print("You are signed in nowhere. Sign in with: gradus login URL")
    for known in stored.servers:
        screen.console().print(f"{'*' if known == stored.current else ' '} {known}")


def _by_password(url: str) -> Server:
    """A token of its own for this machine, made with e-mail and password; the session it took is closed again."""
    if not sys.stdin.isatty():
        raise misused("No token came through the pipe. Send one line with an API token, or sign in at a terminal.")
    client = Client(url, notice=screen.notice)
    with client.http:
        email = typer.prompt("E-mail")
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
    """Whether the token is worthless now. One that was pasted is found by its beginning."""
    client = Client(url, server.token)
    with client.http:
        try:
            token_id = server.token_id or _found(client, server.token)
            if token_id:
                client.delete(f"/me/tokens/{token_id}")
            return bool(token_id)
        except Failure as failure:
            # A token that is not valid any more is as good as revoked.
            return failure.code == "not_signed_in"


def _found(client: Client, token: str) -> str:
    same = [each.id for each in client.get("/me/tokens", Tokens).items if token.startswith(each.hint.rstrip("…"))]
    return same[0] if len(same) == 1 else ""
