"""`gradus challenge preview`: what people will read, while it is being written."""
