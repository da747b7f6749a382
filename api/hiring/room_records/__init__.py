"""What is stored about live interviews, and who takes part in them."""
