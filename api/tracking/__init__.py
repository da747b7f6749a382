"""For applicant tracking systems: a team's tokens, inviting, results, and what has changed."""
