"""Rejudges: judge all finished submissions of a challenge again, a few at a time, and report the changes."""
