"""The checks, one file for each kind of evidence; each takes a case and yields findings."""
