"""The Gradus service: a FastAPI application."""

VERSION = "0.1.0"
