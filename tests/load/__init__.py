"""Many candidates at once, by command."""
