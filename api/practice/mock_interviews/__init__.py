"""Mock interviews: a timed random selection of questions and challenges, and a report at the end."""
