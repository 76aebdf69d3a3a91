"""What this machine offers to keep candidates apart from it."""

from assay.sandbox.client import Sandbox
from assay.sandbox.job import Isolation


def probe() -> Isolation:
    """What would be active for a run here, found by starting a sandbox. Raises AssayError if it does not start."""
    with Sandbox(preload=()) as sandbox:
        return sandbox.isolation
