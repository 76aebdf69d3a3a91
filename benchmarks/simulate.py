"""Claim: the slowest strategy takes at least 2,000 steps a second on one core, on a synthetic landscape, caches cold.

CPU time of this process, so that a busy machine changes little. Also printed: how many times slower a strategy is than
the search that does nothing, which does not depend on the machine.
"""

import sys
import time

from assay.embedding.memory import forget
from assay.strategies.landscape import KINDS, Landscape
from assay.strategies.registry import agents, find_strategy
from assay.strategies.simulate import one_run

RUNS = 10
STEPS = 100
LIMIT = 2000.0


def main() -> None:
    nothing = rate("nop")
    rates = {name: rate(name) for name in agents() if find_strategy(name).proposer == "model"}
    print(f"{'nop':16} {nothing:8.0f} steps/s")
    for name, speed in sorted(rates.items(), key=lambda item: -item[1]):
        print(f"{name:16} {speed:8.0f} steps/s, {nothing / speed:.1f} times the cost of nop")
    slowest = min(rates, key=lambda name: rates[name])
    if rates[slowest] < LIMIT:
        sys.exit(f"{slowest} takes {rates[slowest]:.0f} steps a second; at least {LIMIT:.0f} are claimed")


def rate(name: str) -> float:
    """Steps a second of CPU time over all landscapes."""
    strategy = find_strategy(name)
    forget()
    began = time.process_time()
    for kind in KINDS:
        for seed in range(RUNS):
            one_run(strategy, strategy.Params(), Landscape(kind, seed), STEPS, seed)
    return len(KINDS) * RUNS * STEPS / (time.process_time() - began)


if __name__ == "__main__":
    main()
