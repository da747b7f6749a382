"""Two HTML pages that do not need the web client. `/api/docs` is a list of all routes. `/` is a guide to the service until the
web client is built.
"""

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from api.content.catalogue.service import CatalogueStoreDep
from api.judging.dispatch.dispatcher import DispatcherDep

FOLDER = Path(__file__).parent / "html"
STYLE = (FOLDER / "page.css").read_text(encoding="utf-8")
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

router = APIRouter(include_in_schema=False)
landing_router = APIRouter(include_in_schema=False)


@landing_router.get("/")
async def landing(request: Request, store: CatalogueStoreDep, dispatcher: DispatcherDep) -> HTMLResponse:
    """The guide to the service, and whether it can judge submissions."""
    reason = dispatcher.nodes.reason()
    grading = (
        "It is ready to judge submissions."
        if reason is None
        else f"It cannot judge at the moment: {reason} Submissions wait."
    )
    challenges = len(store.catalogue.challenges)
    offer = f"It offers {challenges} challenge{'' if challenges == 1 else 's'}. {grading}"
    text = (FOLDER / "landing.html").read_text(encoding="utf-8")
    return _page("Gradus", text.format(url=escape(str(request.base_url).rstrip("/")), state=escape(offer)))


@router.get("/api/docs")
async def docs(request: Request) -> HTMLResponse:
    """A list of all routes, generated from the OpenAPI description."""
    schema = request.app.openapi()
    parts = [
        "<h1>Addresses</h1>",
        '<p class="soft">Every error is <code>{code, message, status, fields?}</code>. Machine-readable: '
        '<a href="/api/openapi.json">/api/openapi.json</a>. Getting started: <a href="/">/</a>. Any address may also '
        "refuse requests that are too large (413, 414, 431), too slow (408), too frequent (429), malformed (400) or meant for "
        "another host (421).</p>",
    ]
    for tag in schema["tags"]:
        parts.append(f"<h2>{escape(tag['name'].capitalize())}</h2><p>{escape(tag['description'])}</p>")
        parts += [_operation(schema, *item) for item in _operations(schema, tag["name"])]
    return _page("Gradus: addresses", "".join(parts))


def setup_notice(url: str, token: str) -> str:
    """Return the text that the console shows at startup while there is no admin."""
    body = json.dumps(
        {"token": token, "email": "you@example.org", "name": "You", "password": "at least ten characters"}
    )
    return (
        "\nThis site has no admin yet. To claim it, open this page in a browser:\n\n"
        f"  {url}/set-up#{token}\n\n"
        "or send this with your own email, name and password:\n\n"
        f"  curl {url}/api/setup -H 'Content-Type: application/json' \\\n    -d '{body}'\n\n"
        "The setup token can be used once. A restart of the service prints a new one.\n"
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
