# A package must have a starter. This one is empty, because no candidate solves this challenge.
