"""Search algorithms as generators of requests."""
