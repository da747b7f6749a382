"""Email addresses: verifying an address, changing it, and resetting a password by mail."""
