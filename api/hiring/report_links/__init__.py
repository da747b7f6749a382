"""Links with which a team shows the report about one candidate to people without an account, such as a hiring manager. A link
expires, can be revoked, and every opening of it is recorded.
"""
