"""Contains the code of saboteurs, which runs in a cell. `saboteurs.py` appends the text of these files to a reference; the gate
does not import them.
"""
