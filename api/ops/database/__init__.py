"""Maintenance of the database: upgrading, backing up, restoring, and copying to another database."""
