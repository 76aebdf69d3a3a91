"""Research folders in the manner of several coding agents, made by code."""
