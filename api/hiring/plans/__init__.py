"""The plans of assessments: what they contain, what is wrong with them, what candidates draw from them."""
