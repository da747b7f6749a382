"""Live interviews: creating rooms, entering them, and everything that people do in them besides writing code."""
