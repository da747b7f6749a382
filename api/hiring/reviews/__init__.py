"""A review consists of the notes, rubric scores, manual points and decisions that a team's members record about a
participation.
"""
