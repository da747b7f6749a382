"""Invitations: each lets one candidate take an assessment."""
