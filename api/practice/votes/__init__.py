"""Votes: accounts vote for comments and for shared answers. An account has one vote for each, and can take it back."""
