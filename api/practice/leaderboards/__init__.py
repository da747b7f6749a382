"""Leaderboards: which challenges each account has solved, the points for them, and the boards that rank accounts."""
