"""Quizzes: attempts, answers, marks."""
