"""Signing in by an OpenID Connect provider."""
