"""Feedback: error reports and suggested questions from users, and the admins' answers."""
