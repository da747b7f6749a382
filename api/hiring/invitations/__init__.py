"""Invites candidates. Each invitation lets one candidate take an assessment."""
