"""Weekly challenges: each ISO week (UTC), one challenge to solve and, if there are scored challenges, one of these."""
