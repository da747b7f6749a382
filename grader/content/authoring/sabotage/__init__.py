"""Contains the code of the saboteurs, which break a right answer on purpose. This code runs in a cell: `saboteurs.py` appends
the text of these files to the reference (a challenge's first accepted answer). The gate does not import these files.
"""
