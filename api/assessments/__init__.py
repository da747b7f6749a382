"""Assessments: what a team asks its candidates, built, versioned and frozen at the first start."""
