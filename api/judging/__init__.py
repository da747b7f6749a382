"""Judging: stores submissions, queues them in SQL, distributes them to connected nodes, and stores the judgements."""
