"""The personal data of an account: exporting it and erasing it."""
