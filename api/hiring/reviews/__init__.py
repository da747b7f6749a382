"""Reviews: the notes, rubric scores, manual points and decisions that the members of a team record about a participation."""
