"""The task contract: what a task is, how it is loaded, and the plain data that crosses its trust border."""
