"""Feedback: reports and suggested questions from users, the admins' answers, and hiding what users wrote."""
