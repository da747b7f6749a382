"""People, rules, rows: the FastAPI service."""

VERSION = "0.1.0"
