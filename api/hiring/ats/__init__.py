"""Provides the API for applicant tracking systems. With a team's token, a program can invite candidates, read results, and list
changes.
"""
