"""Reviews: what the members of a team say of somebody who took its assessment: notes, a rubric, points by hand, a decision."""
