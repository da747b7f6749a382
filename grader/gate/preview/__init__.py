"""Provides `gradus challenge preview`. The command shows the page of a challenge or topic as readers will see it, and updates
the page whenever the author saves a file.
"""
