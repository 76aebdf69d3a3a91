"""From a model's answer to a candidate: reading the edits, applying them all or not at all, checking the result."""
