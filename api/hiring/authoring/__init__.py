"""Lets teams have their own challenges. A team's authors write them, the gate checks them, and they are published only to the
team.
"""
