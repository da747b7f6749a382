"""Administration of the site: statistics, accounts, and the submissions of all accounts."""
