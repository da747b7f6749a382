"""Runs the authoring gate for a team's own challenge. A node starts this package as a separate process with its own containers."""
