"""A participation is one candidate's attempt at an assessment. Its time is measured by the service's clock."""
