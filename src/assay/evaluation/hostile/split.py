"""Which split is being served? Looks where a careless harness says so: arguments, environment, the main module."""

import os
import re
import sys


def attack(task_folder: str) -> list[str]:
    places = {
        "arguments": [*sys.argv, *sys.orig_argv],
        "environment": [*os.environ, *os.environ.values()],
        "main module": [str(value) for value in vars(sys.modules["__main__"]).values() if isinstance(value, str)],
    }
    word = re.compile(r"(?<![\w/.-])(val|valid|validation|test)(?![\w/.-])")
    return [f"{place} say {text!r}" for place, texts in places.items() for text in texts if word.search(text)]
