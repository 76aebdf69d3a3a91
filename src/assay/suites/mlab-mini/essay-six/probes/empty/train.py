"""Probe: leaves an empty file."""

from pathlib import Path

Path("submission.csv").touch()
