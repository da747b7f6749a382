"""Teams: accounts that create assessments together, and their roles."""
