"""Assessments: the tasks that a team gives its candidates, and their rules. Plans are versioned, and frozen when the first
candidate starts.
"""
