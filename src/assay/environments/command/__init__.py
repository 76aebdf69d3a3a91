"""Agents that are programs: any coding agent with a command line."""
