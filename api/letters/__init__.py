"""Letters: what is written to people's e-mail addresses, kept until it is sent."""
