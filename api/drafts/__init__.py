"""Drafts: what somebody is writing for a challenge, kept until it is sent and after."""
