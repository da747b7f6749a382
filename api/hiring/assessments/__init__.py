"""An assessment consists of the tasks that a team gives its candidates, and of the rules for these tasks. Tasks and rules are
stored as a plan, which has numbered versions. Once a candidate has started with a version, that version no longer changes.
"""
