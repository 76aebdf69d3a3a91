"""The agent that only tries noise: what luck alone reaches, when the best of many is picked."""

from assay.strategies.base import Search, Strategy
from assay.strategies.request import Request, Step


class NoiseOnly(Strategy):
    """Validate candidates without any idea in them, and learn nothing: the baseline and the task's probes, each time
    with other random numbers. What is picked for the test is what was lucky on validation, so its gain on test is
    luck. A task on which this agent gains more than its noise floor cannot tell luck from progress."""

    name = "noise"
    summary = "tries noise only: the baseline and the task's probes with other random numbers"
    proposer = "probes"

    def search(self, start: Step) -> Search:
        while True:
            yield Request(kind="noise")
