"""The command line. Imports nothing heavy until it is needed."""
