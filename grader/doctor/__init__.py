"""`gradus doctor`: does this host isolate, and is it quick? It tries the walls in a throw-away container and says what to do."""
