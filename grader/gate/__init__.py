"""The authoring gate: decides which challenges may be served, by judging their right and wrong answers.

The results are stored in each folder's gate.lock, as proof that this version has passed.
"""
