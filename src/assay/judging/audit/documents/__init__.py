"""What a folder reports: papers and reports as tables, sentences and disclosures."""
