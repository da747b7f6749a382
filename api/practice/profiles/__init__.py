"""Profiles: what an account has achieved, shown to its owner and, if the account is listed, to others. This package only
reads.
"""
