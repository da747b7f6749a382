"""`gradus doctor` checks how well this machine isolates containers and how fast it judges, and says what to fix."""
