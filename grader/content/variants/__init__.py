"""Variants of a challenge: the same task with other conventions. An answer to one variant fails the tests of the others."""
