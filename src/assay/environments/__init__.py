"""Interactive agents in a workspace."""
