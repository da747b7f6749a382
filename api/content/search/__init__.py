"""Searches everything that the catalogue shows: challenges, topics, quizzes and tracks. Hidden tests, editorials and answer
keys are never indexed.
"""
