"""Reads speed boards, which compare the measured answers of all accounts, and lets moderators decide about them."""
