"""Interactive agents: each decides what to do next from what it did and saw so far."""
