"""Profiles: what somebody has done, for themselves (progress) and, if they like, for others. Reading only."""
