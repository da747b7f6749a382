"""An assessment as a whole: figures, similar answers, and reports to take away."""
