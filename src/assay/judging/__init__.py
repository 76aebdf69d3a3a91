"""Reviews by judges, their agreement with people, and the audit of claims."""
