"""Webhooks send signed messages about events to a team's own systems. Failed messages are retried for about a day."""
