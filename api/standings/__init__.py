"""Standings: which challenges each account has solved, the points that come of it, and the boards on which people are ranked."""
