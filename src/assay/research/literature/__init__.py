"""What is known already: papers, where they are found, and how they are cited."""
