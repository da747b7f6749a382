"""Submissions: source that was sent for a challenge, and the story of its judging."""
