"""Provides the HTTP client of the service. Responses are typed, and every failed request raises a `Failure` that says what to
do.
"""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

import httpx
import msgspec

from frontend.cli import clean
from frontend.cli.failure import Failure
from frontend.cli.service import servers
from frontend.cli.service.records import Problem

T = TypeVar("T")
ANSWER_S, CONNECT_S = 30.0, 10.0
# If the service asks the client to wait for at most LONGEST_PAUSE_S seconds, the client waits and repeats the request. It sends
# a request at most TRIES times in total.
LONGEST_PAUSE_S, TRIES = 90.0, 3


class Client:
    """Sends requests to one service with one token. Calls `notice` with a message for the user before it waits to retry."""

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
        """Sends a GET request. Leaves out parameters that are empty or 0. Returns the response as a `kind`."""
        given = {name: value for name, value in parameters.items() if value not in ("", 0)}
        return self._decoded(self._request("GET", path, repeat=True, params=given), kind)

    def raw(self, path: str) -> Any:
        """Sends a GET request and returns the decoded JSON for scripts, including fields that this client does not know."""
        return self._decoded(self._request("GET", path, repeat=True), object)

    def post(self, path: str, kind: type[T], body: dict[str, Any] | None = None, *, once: bool = False) -> T:
        """Sends a POST request. With `once`, the request has an idempotency key, and the client repeats it if the connection
        breaks. The key ensures that the service carries out the request only once.
        """
        headers = {"Idempotency-Key": uuid.uuid4().hex} if once else {}
        return self._decoded(self._request("POST", path, repeat=once, json=body, headers=headers), kind)

    def put(self, path: str, kind: type[T], body: dict[str, Any]) -> T:
        """Sends a PUT request. PUT requests are idempotent, so the client repeats the request if the connection breaks."""
        return self._decoded(self._request("PUT", path, repeat=True, json=body), kind)

    def delete(self, path: str) -> None:
        self._request("DELETE", path, repeat=False)

    def _request(self, method: str, path: str, *, repeat: bool, **more: Any) -> httpx.Response:
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
                self._notice(f"The service requests a pause of {pause_s:.0f} s; then the request is repeated.")
                time.sleep(pause_s)
                continue
            break
        self.check(answer)
        return answer

    def check(self, answer: httpx.Response) -> None:
        """Raises a `Failure` unless the response is successful. The caller must have read the body of the response."""
        if answer.is_success:
            return
        if answer.is_redirect:
            there = clean.line(answer.headers.get("location", "elsewhere"))
            raise Failure(f"{self.url} redirects to {there}. Sign in there: gradus login {there}")
        problem = _problem(answer)
        if answer.status_code == 401 and self.token:
            message = (
                "The service no longer accepts your token: it was revoked or mistyped. Sign in again: gradus login"
            )
        elif problem.code == "not_signed_in":
            message = not_signed_in(self.url).message
        elif problem.code == "not_found":
            message = (
                f"{self.url} does not know this address. It may be older than this program (version {own_version()})."
            )
        else:
            message = problem.message
        raise Failure(message, code=problem.code)

    def _decoded(self, answer: httpx.Response, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.ValidationError as error:
            raise Failure(self._versions(str(error))) from error
        except msgspec.DecodeError as error:
            raise Failure(f"{self.url} responds, but not as Gradus does. Is that the right URL?") from error

    def _versions(self, detail: str) -> str:
        try:
            theirs = clean.line(str(self.http.get("/health").json()["version"]))
        except (httpx.HTTPError, ValueError, KeyError, TypeError):
            theirs = "unknown"
        problem = f"The service (version {theirs}) and this program (version {own_version()}) are not compatible"
        return f"{problem}: {clean.line(detail)}. Update the older one."


def own_version() -> str:
    try:
        return version("gradus")
    except PackageNotFoundError:
        return "unknown"


def not_signed_in(url: str) -> Failure:
    """Returns the failure for a missing token."""
    return Failure(f"You are not signed in at {url}. Sign in first: gradus login", code="not_signed_in")


def unreachable(url: str, error: httpx.RequestError) -> Failure:
    """Returns the failure for a service that does not respond."""
    if isinstance(error, httpx.ConnectTimeout | httpx.ConnectError):
        why = clean.line(str(error)) or "no connection"
        return Failure(f"{url} does not respond ({why}). Check the network and the URL: gradus use")
    if isinstance(error, httpx.TimeoutException):
        return Failure(f"{url} did not answer in time. Try again in a moment.")
    return Failure(f"The connection to {url} was lost ({clean.line(str(error))}). Try again.")


@contextmanager
def connected(notice: Callable[[str], None] = lambda text: None) -> Iterator[Client]:
    client = Client(*servers.current(), notice)
    with client.http:
        yield client


def _problem(answer: httpx.Response) -> Problem:
    try:
        problem = msgspec.json.decode(answer.content, type=Problem)
    except msgspec.MsgspecError:
        advice = (
            "It is down or overloaded; try again in a moment." if answer.status_code >= 500 else "Is the address right?"
        )
        return Problem("", f"The service answered with status {answer.status_code}. {advice}")
    return Problem(problem.code, clean.line(problem.message))


def _pause(answer: httpx.Response) -> float | None:
    """Returns the number of seconds that the client must wait before it sends the request again, or None if it must not."""
    given = answer.headers.get("retry-after", "")
    if answer.status_code not in (429, 503) or not (given.isascii() and given.isdigit()):
        return None
    return float(given[:6])
