"""Comparison of results over the teams that share theirs."""
