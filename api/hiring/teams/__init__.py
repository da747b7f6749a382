"""A team is a group of accounts that create assessments together. Each member has a role."""
