"""Feeds of boards, and images of boards and profiles for other sites."""
