"""Invitations: the right of one person to take an assessment."""
