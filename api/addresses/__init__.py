"""E-mail addresses: proving that one is one's own, moving to another, and a new password by letter."""
