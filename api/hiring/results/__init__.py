"""Results of an assessment: statistics, similar answers, and reports to download."""
