"""Editorials: the explanation and the reference answer, opened by solving or by giving up; hints that were seen."""
