"""Sharing: accepted answers that their owners show, by link or to all who have opened the challenge's editorial."""
