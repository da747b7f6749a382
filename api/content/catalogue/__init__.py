"""The catalogue: reads the challenges, topics and tracks from their folders, and defines which parts are public."""
