"""Rejudges: judging all finished submissions of a challenge again, slowly, and what that changed."""
