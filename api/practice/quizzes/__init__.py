"""Quizzes: attempts at a topic's questions, the answers, and their marks."""
