"""Two plain pages that need nothing but this service: all of its addresses (`/api/docs`), and, while the web client is not
built, how to use it (`/`)."""

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from api.state import StateOf

FOLDER = Path(__file__).parent / "html"
STYLE = (FOLDER / "page.css").read_text(encoding="utf-8")
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

router = APIRouter(include_in_schema=False)
landing_router = APIRouter(include_in_schema=False)


@landing_router.get("/")
async def landing(request: Request, state: StateOf) -> HTMLResponse:
    """How to use the service."""
    reason = state.dispatcher.nodes.reason()
    grading = "It is ready to judge." if reason is None else f"It cannot judge at present: {reason} Submissions wait."
    challenges = len(state.shelf.catalogue.challenges)
    told = f"It offers {challenges} challenge{'' if challenges == 1 else 's'}. {grading}"
    text = (FOLDER / "landing.html").read_text(encoding="utf-8")
    return _page("Gradus", text.format(url=escape(str(request.base_url).rstrip("/")), state=escape(told)))


@router.get("/api/docs")
async def docs(request: Request) -> HTMLResponse:
    """Every address, read from the OpenAPI description."""
    schema = request.app.openapi()
    parts = [
        "<h1>Addresses</h1>",
        '<p class="soft">Every error is <code>{code, message, status, fields?}</code>. Machine-readable: '
        '<a href="/api/openapi.json">/api/openapi.json</a>. How to begin: <a href="/">/</a>. Every address may also '
        "refuse what is too large (413, 414, 431), too slow (408), too often (429) or no request for this service "
        "(400, 421).</p>",
    ]
    for tag in schema["tags"]:
        parts.append(f"<h2>{escape(tag['name'].capitalize())}</h2><p>{escape(tag['description'])}</p>")
        parts += [_operation(schema, *item) for item in _operations(schema, tag["name"])]
    return _page("Gradus: addresses", "".join(parts))


def setup_notice(url: str, token: str) -> str:
    """What the console shows while nobody is admin."""
    body = json.dumps(
        {"token": token, "email": "you@example.org", "name": "You", "password": "at least ten characters"}
    )
    return (
        "\nNobody is admin of this site yet. To claim it, send this with your own e-mail, name and password:\n\n"
        f"  curl {url}/api/setup -H 'Content-Type: application/json' \\\n    -d '{body}'\n\n"
        "The set-up token in it works once, and only until the service is restarted.\n"
    )


def _operations(schema: dict[str, Any], tag: str) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, verb, operation)
        for path, verbs in schema["paths"].items()
        for verb, operation in verbs.items()
        if tag in operation["tags"]
    ]


def _operation(schema: dict[str, Any], path: str, verb: str, operation: dict[str, Any]) -> str:
    rows = [
        (parameter["name"], f"in the {parameter['in']}", parameter.get("description", ""))
        for parameter in operation.get("parameters", [])
    ]
    answers = [(status, answer["description"], "") for status, answer in operation["responses"].items()]
    return (
        f'<h3><span class="verb">{verb.upper()}</span>{escape(path)}</h3><p>{escape(operation["description"])}</p>'
        + _table(rows)
        + _example(schema, operation)
        + _table(answers)
    )


def _table(rows: list[tuple[str, str, str]]) -> str:
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>" if rows else ""


def _example(schema: dict[str, Any], operation: dict[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    example = schema["components"]["schemas"].get(name, {}).get("example")
    return f'<pre tabindex="0">{escape(json.dumps(example, ensure_ascii=False))}</pre>' if example else ""


def _page(title: str, body: str) -> HTMLResponse:
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
    )
    html = f'<!doctype html><html lang="en"><head>{head}</head><body><main>{body}</main></body></html>'
    return HTMLResponse(html, headers={"Content-Security-Policy": POLICY})
