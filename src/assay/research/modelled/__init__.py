"""A researcher that asks a language model at every stage."""
