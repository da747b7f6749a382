"""The proof of a challenge's variants. It is separate, so that the proof of the plain challenge stays valid when it changes."""
