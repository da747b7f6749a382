"""Ready-made assessments for common roles. They are content: `challenges/assessments/<id>.toml`. A team starts a plan from one of
them, and can change everything in it.
"""
