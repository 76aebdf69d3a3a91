"""Code that runs inside the sandbox. Sent there as text: it imports nothing of Assay."""
