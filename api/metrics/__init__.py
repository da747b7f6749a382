"""Figures for Prometheus: what is counted while it happens, what is looked up when somebody asks, and where they are read."""
