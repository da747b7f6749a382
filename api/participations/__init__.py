"""Participations: one person's run through an assessment, by the service's clock."""
