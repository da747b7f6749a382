"""Accounts of members, guests and candidates, password hashes, and one-time links."""
