"""What the tasks of the suite mlab share: their data is real, and split on the user's machine."""
