"""Revision cards: made from the catalogue, scheduled for each account by how well they were remembered."""
