"""`python -m api.openapi` prints the OpenAPI description as JSON. The types of the web client are generated from it."""

import json
import sys
import tempfile
from pathlib import Path

from api.app import create_app
from api.settings import Settings


def description() -> str:
    """Return the document that `/api/openapi.json` serves, as indented JSON."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), challenges_dir=Path(folder)))
        return json.dumps(app.openapi(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(description())
