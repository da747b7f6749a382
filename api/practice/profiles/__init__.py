"""Profiles: what an account has achieved. A profile is shown to the owner of the account and, if the account is listed, to
other users. This package stores nothing.
"""
