"""Contains load tests. Each module is a command that puts load on a real service or grader and prints measurements."""
