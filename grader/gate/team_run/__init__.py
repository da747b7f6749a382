"""Runs the authoring gate for a team's own challenge. A node starts it as a separate process with its own containers."""
