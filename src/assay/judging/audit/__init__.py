"""The audit: which reported numbers are backed by evidence. `docs/audit.md` describes what it looks for."""
