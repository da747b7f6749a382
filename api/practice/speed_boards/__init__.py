"""Speed boards: measurements of accepted answers to scored challenges, and the boards that compare them."""
