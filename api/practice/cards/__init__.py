"""Revision cards: generated from the catalogue and scheduled for each account according to its grades."""
