"""One run: its specification, loop, journal, budget and resume."""
