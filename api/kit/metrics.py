"""Metrics of HTTP requests. Each process of the service counts its own requests; Prometheus can add up the processes.

No label identifies a person: the route label is a template such as `/challenges/{slug}`, and every other label has only a
few possible values.
"""

from prometheus_client import Counter, Histogram, disable_created_metrics
from starlette.types import Scope

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER = "other"
# Upper bounds of the histogram's buckets, in seconds.
ANSWERING_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

disable_created_metrics()  # type: ignore[no-untyped-call]
REQUESTS = Counter("gradus_http_requests", "Answered requests.", ["method", "route", "status"])
ANSWERING = Histogram(
    "gradus_http_answer_seconds", "Seconds from a request to the head of its response.", ["route"], buckets=ANSWERING_S
)


def answered(scope: Scope, status: int, seconds: float) -> None:
    """Count a response. `seconds` is the time from the request until the head of its response was sent."""
    method, route = template_of(scope)
    REQUESTS.labels(method, route, str(status)).inc()
    ANSWERING.labels(route).observe(seconds)


def template_of(scope: Scope) -> tuple[str, str]:
    """Return the method and the route template of a request. Neither contains text that the client chose."""
    # A route that the router found, because only its method does not match, is in FastAPI's own context: the route in the scope
    # lacks the prefix of the router that includes it. If the scope has neither, no route matched the request.
    matched = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    return scope["method"] if scope["method"] in METHODS else OTHER, getattr(matched, "path", OTHER)
