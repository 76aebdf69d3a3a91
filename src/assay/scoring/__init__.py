"""What is computed from journals."""
