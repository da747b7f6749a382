"""Editorials: the explanation and the reference answer of a challenge, which an account may read after it has solved the
challenge or given up on it. Also stores how many hints an account has opened.
"""
