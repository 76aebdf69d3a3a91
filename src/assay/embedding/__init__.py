"""Code as vectors."""
