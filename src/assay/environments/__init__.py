"""Interactive agents: a workspace, named actions in it, and agents that choose among them."""
