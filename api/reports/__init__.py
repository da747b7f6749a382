"""Reports: what people tell us, an error in something or a question that they miss, and what we answer."""
