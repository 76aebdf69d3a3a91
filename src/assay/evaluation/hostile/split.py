"""Which split is being served? Looks where a careless harness says so: arguments, environment, the main module."""

import os
import re
import sys
from pathlib import Path


def attack(task_folder: str) -> list[str]:
    main = sys.modules["__main__"]
    # a script that is run as the main module says of itself what it likes
    own = Path(getattr(main, "__file__", None) or "/").resolve().is_relative_to(Path.cwd())
    places = {
        "arguments": [*sys.argv, *sys.orig_argv],
        "environment": [*os.environ, *os.environ.values()],
        "main module": [] if own else [str(value) for value in vars(main).values() if isinstance(value, str)],
    }
    word = re.compile(r"(?<![\w/.-])(val|valid|validation|test)(?![\w/.-])")
    return [f"{place} say {text!r}" for place, texts in places.items() for text in texts if word.search(text)]
