"""How interactive agents went about their runs, as their turns tell."""
