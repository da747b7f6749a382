"""The Gradus service, a FastAPI application. `create_app` in api/app.py builds it."""

VERSION = "0.1.0"
