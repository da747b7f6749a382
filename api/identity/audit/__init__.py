"""The audit log: what admins did, to which object, when, and from which network address."""
