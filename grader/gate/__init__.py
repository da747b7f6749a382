"""The authoring gate: what may be served, and the proof that it may."""
