"""Contains the code that compares the accepted answers of a challenge with each other. This code runs in a cell:
`grader.gate.agreement` appends the text of these files to the reference. The gate does not import them.
"""
