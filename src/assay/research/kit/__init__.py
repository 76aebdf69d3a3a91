"""Files that every experiment finds beside its code. They know nothing of Assay: each runs on its own."""
