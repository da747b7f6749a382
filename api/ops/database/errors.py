"""The error of database maintenance."""


class UpkeepError(Exception):
    """The operation is not possible. The message says why, and what to do."""
