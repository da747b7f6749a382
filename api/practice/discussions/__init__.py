"""Discussions: comments about a challenge and replies to them. They are open to everybody who can read the challenge's
editorial.
"""
