"""A team's own challenges: written by the team's authors, checked by the gate, and published only to the team."""
