"""Measures accepted answers to scored challenges: the queue, the nodes that measure, and the entries that follow from it."""
