"""Provides the results of an assessment: statistics, similar answers, and reports to download."""
