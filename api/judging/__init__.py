"""Judging: the queue in SQL, the nodes that are connected, and how a judgement is applied."""
