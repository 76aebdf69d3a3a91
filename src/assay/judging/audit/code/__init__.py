"""What a folder's code does, read from its syntax and never run."""
