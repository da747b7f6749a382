"""The description from which the web client's types are made is the service's own."""

from pathlib import Path

from api.description import description

KEPT = Path(__file__).resolve().parents[2] / "frontend" / "web" / "openapi.json"


def test_the_client_knows_the_present_api() -> None:
    assert KEPT.read_text(encoding="utf-8") == description(), "run: bash deploy/web.sh types"
