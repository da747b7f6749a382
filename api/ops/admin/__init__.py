"""Administration of the site: figures, accounts, and the submissions of all accounts."""
