"""The desk of those who run the site: figures, accounts, submissions of everybody."""
