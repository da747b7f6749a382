"""Figures about challenges: how many people solve them, and how an accepted answer compares with others."""
