"""Intake of submissions: routes to send source for a challenge, follow its judging, and read the results."""
