"""Editorials: the explanation and the reference answer of a challenge, readable after solving it or giving up. Also stores
how many hints an account has opened.
"""
