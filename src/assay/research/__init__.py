"""Staged agents, from an idea to a paper."""
