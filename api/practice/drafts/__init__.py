"""Drafts: the code that an account is writing for a challenge. A draft is kept after the code is submitted."""
