"""Running code that may be hostile: a fork server, isolation and limits."""
