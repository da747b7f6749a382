"""Provides `gradus challenge preview`. It shows a page as readers will see it, and updates the page while the author edits its
files.
"""
