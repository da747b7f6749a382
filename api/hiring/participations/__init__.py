"""Participations: each is one candidate's attempt at an assessment, timed by the service's clock."""
