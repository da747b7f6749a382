"""Teams: people who make assessments together, and who of them may do what."""
