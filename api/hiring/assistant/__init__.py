"""The AI assistant of an assessment. In sections whose policy is `provided`, candidates chat with a model that the site's
operator has chosen. In sections whose policy is `own`, they use their own and say at the end how. Everything is reported as a
fact; nothing here is part of a score.
"""
