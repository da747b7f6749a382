"""Webhooks: telling a team's own systems what happened, signed, again and again until they have heard it."""
