"""The built-in researcher: no model, one honest comparison of known methods."""
