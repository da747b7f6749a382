"""The catalogue: the challenges read from their folders, and their public parts."""
