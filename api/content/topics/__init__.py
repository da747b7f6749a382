"""Topics and tracks: the learning pages, read-only. Quizzes are answered in `api.practice.quizzes`."""
