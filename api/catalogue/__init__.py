"""The catalogue: challenges read from their folders, and what of them is public."""
