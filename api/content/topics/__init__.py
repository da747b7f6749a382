"""Topics and tracks, the pages for learning. This package stores nothing: `api.practice.quizzes` handles answers to quizzes."""
