"""Searching all that the catalogue shows: challenges, topics, quizzes and tracks. Hidden tests, editorials, keys: no part."""
