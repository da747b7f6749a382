"""Mail: an outbox in the database, a background task that sends its mail, and the transports."""
