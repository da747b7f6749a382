"""The shared document of a live interview: a CRDT (Yjs) that several people edit at the same time.

Each challenge of the room has one text in the document. `live_room` holds the document while somebody is connected, `store` reads
and writes it in SQL, and `replay` rebuilds how it was written.
"""
