"""`python -m api.description`: the OpenAPI description as JSON, from which the web client's types are made."""

import json
import sys
import tempfile
from pathlib import Path

from api.app import create_app
from api.settings import Settings


def description() -> str:
    """The description that `/api/openapi.json` serves, in a fixed form."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), challenges_dir=Path(folder)))
        return json.dumps(app.openapi(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(description())
