"""`gradus doctor` checks the isolation and the speed of this machine, with a temporary container, and says what to fix."""
