"""What candidates say about an assessment after they have finished it. The team reads it without names, and it is in no
report.
"""
