"""Accounts: registering, signing in, sessions, API tokens and who may do what."""
