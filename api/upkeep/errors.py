"""What keeps somebody from looking after the database."""


class UpkeepError(Exception):
    """It cannot be done; the message says why and what to do."""
