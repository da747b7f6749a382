"""A real PostgreSQL of the tests' own: a cluster in a temporary folder, reached by a Unix socket, gone when the tests end.

With GRADUS_TEST_DATABASE=postgresql every test that asks for settings gets a database of its own, copied from one that the
migrations have made.
"""

import asyncio
import atexit
import functools
import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import URL

from api.db import Database

WANTED = os.environ.get("GRADUS_TEST_DATABASE", "sqlite") == "postgresql"
START_S = 30
# Nothing here outlives the tests, so nothing needs to reach the disk.
SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "300",
    "shared_buffers": "64MB",
    "jit": "off",
}
_TEMPLATE = "migrated"


def database_of(folder: Path) -> str:
    """The address of the database that belongs to a test's folder; it is made when it is asked for first."""
    name = _name(folder)
    cluster = _cluster()
    with _server(cluster) as server:
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
            server.execute(_copy(name, _template()))
    return _url(cluster, name)


def empty_database(folder: Path) -> str:
    """The address of a database without any table."""
    name = f"empty_{_name(folder)}"
    with _server(_cluster()) as server:
        server.execute(_copy(name, "template0"))
    return _url(_cluster(), name)


def drop(folder: Path) -> None:
    """Forget what belongs to a test's folder."""
    with _server(_cluster()) as server:
        for name in (_name(folder), f"empty_{_name(folder)}"):
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _name(folder: Path) -> str:
    return "test_" + hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]


def _copy(name: str, template: str) -> sql.Composed:
    return sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))


def _url(cluster: Path, name: str) -> str:
    url = URL.create("postgresql+psycopg", username="gradus", database=name, query={"host": str(cluster)})
    return url.render_as_string(hide_password=False)


def _server(cluster: Path) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(host=str(cluster), user="gradus", dbname="postgres", autocommit=True)


@functools.cache
def _template() -> str:
    """The name of a database with the newest tables."""
    with _server(_cluster()) as server:
        server.execute(_copy(_TEMPLATE, "template0"))

    async def migrate() -> None:
        database = Database(_url(_cluster(), _TEMPLATE))
        await database.migrate()
        await database.close()

    # A test's event loop may be running in this thread.
    made = threading.Thread(target=lambda: asyncio.run(migrate()))
    made.start()
    made.join()
    return _TEMPLATE


@functools.cache
def _cluster() -> Path:
    """The folder of the running cluster's socket."""
    folder = Path(tempfile.mkdtemp(prefix="gradus-pg-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    who = _owner()
    if who:
        shutil.chown(folder, who, who)
    data = folder / "data"
    _as(who, [_program("initdb"), "-D", data, "-U", "gradus", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"])
    told = [f"-c{name}={value}" for name, value in SETTINGS.items()]
    command = [_program("postgres"), "-D", data, "-k", folder, *told]
    ends_with_us = ["setpriv", "--pdeathsig", "INT", *_becoming(who), *map(str, command)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(ends_with_us, stdout=subprocess.DEVNULL, stderr=log, cwd="/")
    atexit.register(_stop, process)
    deadline = time.monotonic() + START_S
    while True:
        try:
            _server(folder).close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((folder / "log").read_text()) from None
            time.sleep(0.05)
        else:
            return folder


def _owner() -> str:
    """PostgreSQL refuses to run as root: whose processes they are then."""
    if os.geteuid() != 0:
        return ""
    return next((name for name in ("postgres", "nobody") if _known(name)), "nobody")


def _known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _becoming(who: str) -> list[str]:
    return [f"--reuid={who}", f"--regid={pwd.getpwnam(who).pw_gid}", "--clear-groups"] if who else []


def _as(who: str, command: list[object]) -> None:
    subprocess.run(["setpriv", *_becoming(who), *map(str, command)], check=True, stdout=subprocess.DEVNULL, cwd="/")


def _program(name: str) -> str:
    """Debian keeps the server's programs off the path, a folder per version."""
    if found := shutil.which(name):
        return found
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    if not installed:
        raise RuntimeError(f"PostgreSQL's {name} is not installed: bash deploy/packages.sh test")
    return str(installed[-1])


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(2)  # a fast shutdown
    process.wait(10)
