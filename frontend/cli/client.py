"""The one door to the service: typed answers, and every way in which a request can fail told in one sentence."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

import httpx
import msgspec

from frontend.cli import clean, servers
from frontend.cli.failure import Failure
from frontend.cli.records import Problem

T = TypeVar("T")
ANSWER_S, CONNECT_S = 30.0, 10.0
# So long a pause that the service asks for is kept without asking back; so often is one request repeated.
LONGEST_PAUSE_S, TRIES = 90.0, 3


class Client:
    """Speaks to one service with one token. `notice` hears of pauses."""

    def __init__(self, url: str, token: str = "", notice: Callable[[str], None] = lambda text: None) -> None:
        self.url, self.token, self._notice = url, token, notice
        headers = {"User-Agent": f"gradus-cli/{own_version()}", "Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        timeout = httpx.Timeout(ANSWER_S, connect=CONNECT_S)
        try:
            self.http = httpx.Client(base_url=f"{url}/api", headers=headers, timeout=timeout)
        except (UnicodeEncodeError, httpx.InvalidURL, ValueError) as error:
            raise Failure(
                "The address or the token has characters that cannot be sent. Sign in again: gradus login"
            ) from error

    def get(self, path: str, kind: type[T], /, **parameters: str | int) -> T:
        """Read something; parameters that are empty are left out."""
        given = {name: value for name, value in parameters.items() if value not in ("", 0)}
        return self._decoded(self._asked("GET", path, repeat=True, params=given), kind)

    def raw(self, path: str) -> Any:
        """Read something as it is, for a script."""
        return self._decoded(self._asked("GET", path, repeat=True), object)

    def post(self, path: str, kind: type[T], body: dict[str, Any] | None = None, *, once: bool = False) -> T:
        """Do something. `once`: it carries a key, so it may be sent again when the connection breaks."""
        headers = {"Idempotency-Key": uuid.uuid4().hex} if once else {}
        return self._decoded(self._asked("POST", path, repeat=once, json=body, headers=headers), kind)

    def put(self, path: str, kind: type[T], body: dict[str, Any]) -> T:
        """Put something in the place of what is there; sent twice, it is put once."""
        return self._decoded(self._asked("PUT", path, repeat=True, json=body), kind)

    def delete(self, path: str) -> None:
        """Take something away."""
        self._asked("DELETE", path, repeat=False)

    def _asked(self, method: str, path: str, *, repeat: bool, **more: Any) -> httpx.Response:
        for left in reversed(range(TRIES)):
            try:
                answer = self.http.request(method, path, **more)
            except httpx.RequestError as error:
                if left and repeat and not isinstance(error, httpx.ConnectError | httpx.TimeoutException):
                    time.sleep(0.3)
                    continue
                raise unreachable(self.url, error) from error
            pause_s = _pause(answer)
            if left and pause_s is not None and pause_s <= LONGEST_PAUSE_S:
                self._notice(f"The service asks to wait {pause_s:.0f} s; the request is repeated then.")
                time.sleep(pause_s)
                continue
            break
        self.check(answer)
        return answer

    def check(self, answer: httpx.Response) -> None:
        """Raise `Failure` unless the answer is a good one. Its body must have been read."""
        if answer.is_success:
            return
        if answer.is_redirect:
            there = clean.line(answer.headers.get("location", "elsewhere"))
            raise Failure(f"{self.url} sends on to {there}. Sign in there, with: gradus login {there}")
        problem = _problem(answer)
        if answer.status_code == 401 and self.token:
            message = (
                "The service does not take your token any more: it was revoked or mistyped. Sign in again: gradus login"
            )
        elif problem.code == "not_signed_in":
            message = f"You are not signed in at {self.url}. Sign in first: gradus login"
        elif problem.code == "not_found":
            message = f"{self.url} does not know this. Perhaps it is older than this program (version {own_version()})."
        else:
            message = problem.message
        raise Failure(message, code=problem.code)

    def _decoded(self, answer: httpx.Response, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.ValidationError as error:
            raise Failure(self._versions(str(error))) from error
        except msgspec.DecodeError as error:
            raise Failure(f"{self.url} answers, but not as Gradus does. Is that the right address?") from error

    def _versions(self, detail: str) -> str:
        try:
            theirs = clean.line(str(self.http.get("/health").json()["version"]))
        except (httpx.HTTPError, ValueError, KeyError, TypeError):
            theirs = "unknown"
        told = f"The service (version {theirs}) and this program (version {own_version()}) do not understand each other"
        return f"{told}: {clean.line(detail)}. Update the older one."


def own_version() -> str:
    """The version of this program."""
    try:
        return version("gradus")
    except PackageNotFoundError:
        return "unknown"


def unreachable(url: str, error: httpx.RequestError) -> Failure:
    """No answer, in one sentence."""
    if isinstance(error, httpx.ConnectTimeout | httpx.ConnectError):
        why = clean.line(str(error)) or "no connection"
        return Failure(f"Nobody answers at {url} ({why}). Check the network and the address: gradus use")
    if isinstance(error, httpx.TimeoutException):
        return Failure(f"{url} did not answer in time. Try again in a moment.")
    return Failure(f"The connection to {url} broke off ({clean.line(str(error))}). Try again.")


@contextmanager
def connected(notice: Callable[[str], None] = lambda text: None) -> Iterator[Client]:
    """A client for the current server."""
    client = Client(*servers.current(), notice)
    with client.http:
        yield client


def _problem(answer: httpx.Response) -> Problem:
    try:
        problem = msgspec.json.decode(answer.content, type=Problem)
    except msgspec.MsgspecError:
        told = (
            "It is down or overloaded; try again in a moment." if answer.status_code >= 500 else "Is the address right?"
        )
        return Problem("", f"The service answered with status {answer.status_code}. {told}")
    return Problem(problem.code, clean.line(problem.message))


def _pause(answer: httpx.Response) -> float | None:
    """Seconds to wait, when the service asks for that."""
    given = answer.headers.get("retry-after", "")
    if answer.status_code not in (429, 503) or not (given.isascii() and given.isdigit()):
        return None
    return float(given[:6])
