"""Sharing: accepted answers that their owners publish, either by link only or also for everybody who can read the challenge's
editorial.
"""
