"""Sharing: users publish their accepted answers. A shared answer is shown either to those with its link only, or also to
everybody who can read the challenge's editorial.
"""
