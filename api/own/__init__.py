"""Teams' own challenges: written, proven by the gate, published to the team alone."""
