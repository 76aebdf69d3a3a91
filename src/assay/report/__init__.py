"""Pages on which one can see the search."""
