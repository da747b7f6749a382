"""What those who run the site do to its database: upgrade, back up, restore, copy to another kind of database."""
