"""The audit log: what admins did, to what, when and from where."""
