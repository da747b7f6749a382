"""The authoring gate checks challenges and topics, and decides which of them may be served.

It judges a challenge's right and wrong answers, and checks that the tests reject broken copies of the reference.

The result is stored in the folder's gate.lock, as proof that this version of the folder has passed.
"""
