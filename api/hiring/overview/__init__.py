"""Lists a team's assessments and invitations together with what has become of them: how many candidates were invited, have
started and have finished, and what each of them reached.
"""
