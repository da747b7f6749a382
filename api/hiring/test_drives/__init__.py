"""A test drive is an assessment that a member of the team takes to try it. Everything works as for a candidate, but it counts
nowhere: it is in no list, no statistics and no comparison, and it does not freeze the plan.
"""
