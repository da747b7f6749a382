"""`gradus challenge preview`: shows a page as readers will see it, and updates it while the author edits the files."""
