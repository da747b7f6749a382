"""An assessment consists of the tasks that a team gives its candidates, and of the rules for these tasks. Its plan is stored in
versions. A version no longer changes once a candidate has started with it.
"""
