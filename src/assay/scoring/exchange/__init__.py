"""Results from and for other tools."""
