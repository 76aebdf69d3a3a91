"""Attacks on the harness, as a candidate would carry them. Each file is read as text and appended to a task's baseline.

`attack(task_folder)` names what it reached and should not have; an empty list means that the hole is closed. The files
stand alone: inside the sandbox nothing of Assay is there to be imported.
"""
