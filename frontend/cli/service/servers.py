"""Stores the user's sign-ins in a JSON file in the platform's configuration folder. Only the user can read the file.

    {"current": "<url>", "servers": {"<url>": {"token": "…", "token_id": "…"}}}
The environment variables GRADUS_URL and GRADUS_TOKEN take precedence over the file.
"""

import contextlib
import os
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import typer

from frontend.cli.failure import Failure, misused

DEFAULT_URL = "http://127.0.0.1:8000"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Server(msgspec.Struct):
    """A sign-in at a service. `token_id` is the id of the token at the service. It is empty if the user signed in by pasting a
    token, because the client does not know the id of such a token.
    """

    token: str
    token_id: str = ""


class Servers(msgspec.Struct):
    """The user's sign-ins on this machine, by the URL of the service. `current` is the URL of the service in use."""

    current: str = ""
    servers: dict[str, Server] = {}


def folder(*, cache: bool = False) -> Path:
    """Returns the configuration folder of this program or, with `cache`, its cache folder."""
    variable = "XDG_CACHE_HOME" if cache else "XDG_CONFIG_HOME"
    if given := os.environ.get(variable):
        return Path(given) / "gradus"
    return Path.home() / ".cache" / "gradus" if cache and os.name == "posix" else Path(typer.get_app_dir("gradus"))


def load() -> Servers:
    """Reads the stored sign-ins. Raises `Failure` if the file exists but cannot be read."""
    path = _path()
    try:
        return msgspec.json.decode(path.read_bytes(), type=Servers)
    except FileNotFoundError:
        return Servers()
    except (OSError, msgspec.MsgspecError) as error:
        raise Failure(
            f"The file with your sign-ins cannot be read: {path} ({error}). Remove it and sign in again."
        ) from error


def save(servers: Servers) -> None:
    """Stores all sign-ins. The file is replaced atomically and is never readable by others."""
    write_privately(_path(), msgspec.json.format(msgspec.json.encode(servers)))


def write_privately(path: Path, data: bytes) -> None:
    """Replaces a file atomically. Only its owner can read the new file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # mkstemp creates the file with mode 0600, so other users can never read it.
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from error


def current() -> tuple[str, str]:
    """Returns the URL of the service to use and the user's token. The token is empty if the user is not signed in."""
    stored = load()
    url = normal(os.environ.get("GRADUS_URL") or stored.current or DEFAULT_URL)
    known = stored.servers.get(url)
    return url, os.environ.get("GRADUS_TOKEN") or (known.token if known else "")


def normal(url: str) -> str:
    """Normalizes a URL for storage. Adds a scheme and removes a trailing slash. Raises `Failure` if the URL is not valid."""
    text = url.strip()
    if "://" not in text:
        name = text.rpartition(":")[0].strip("[]") or text if text.count(":") == 1 else text
        text = f"{'http' if name.partition('/')[0] in LOOPBACK else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or parts.username or parts.query or parts.fragment or not text.isprintable():
        raise misused(f"{url!r} is not the URL of a service. Example: https://gradus.example.org")
    return text.rstrip("/")


def is_unencrypted(url: str) -> bool:
    """Returns whether a token that is sent to this URL would leave this machine unencrypted."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in LOOPBACK


def _path() -> Path:
    return folder() / "servers.json"
