"""Bookmarks and private notes: what an account marks and writes down about challenges for itself."""
