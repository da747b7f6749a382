"""Mock interviews: a timed draw of questions and challenges, answered by the usual ways, and a report."""
