"""Saboteurs as they run in a cell: `saboteurs.py` puts the text of these files behind a reference; nothing imports them."""
