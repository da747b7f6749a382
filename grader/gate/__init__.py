"""The authoring gate checks challenges and topics, and decides which of them the service may offer.

For a challenge, it judges the right and wrong answers of the author, and checks that the tests reject broken copies of the
reference (the first right answer).

It stores the result in the folder's gate.lock, as proof that this version of the folder has passed.
"""
