"""`make bench`: every claim of speed, measured as a ratio within one run. Ends non-zero if one does not hold.

`python -m benchmarks NAME …` runs some of them.
"""

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent
NOT_BENCHMARKS = {"__init__", "__main__", "journals"}
LONG = {"coloured_digits", "noise_agent", "offline_study"}
"""Studies of a quarter of an hour and more: only when they are named."""


def main() -> None:
    every = sorted(p.stem for p in HERE.glob("*.py") if p.stem not in NOT_BENCHMARKS)
    chosen = sys.argv[1:] or [name for name in every if name not in LONG]
    failed = []
    for name in chosen:
        if name not in every:
            sys.exit(f"no benchmark '{name}'; there are: {', '.join(every)}")
        print(f"== {name}", flush=True)
        try:
            importlib.import_module(f"benchmarks.{name}").main()
        except SystemExit as end:
            if end.code not in (0, None):
                print(end.code)
                failed.append(name)
    if failed:
        sys.exit(f"claims that do not hold: {', '.join(failed)}")


if __name__ == "__main__":
    main()
