"""What earlier steps teach: at which sites edits helped, did nothing, did harm or broke the code.

It is read from the descriptions of the steps, which name site and change; so it needs no state of its own, and a
resumed run learns the same as one that was never stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.proposers.mutations.site import Site, Trial, Verdict
from assay.strategies.request import Step
from assay.tasks.spec import Metric

FACTOR: dict[Verdict, float] = {"better": 2.5, "same": 0.4, "worse": 0.75, "failed": 0.45}
"""How each verdict changes the chance that a site is chosen again."""


@dataclass(frozen=True)
class Experience:
    """Trials by the name of the site."""

    trials: dict[str, tuple[Trial, ...]]

    def of(self, site: Site) -> tuple[Trial, ...]:
        return self.trials.get(site.name, ())

    def weight(self, site: Site) -> float:
        """How promising a site is, given what happened there."""
        weight = site.weight
        for trial in self.of(site):
            # a number that failed went too far; that says little against a smaller step
            weight *= 0.75 if site.family == "number" and trial.verdict == "failed" else FACTOR[trial.verdict]
        return min(weight, 6 * site.weight)

    def luck(self, sites: Sequence[Site]) -> float:
        """How a family of sites has fared: 1 without experience, between a third and three otherwise."""
        verdicts = [trial.verdict for site in sites for trial in self.of(site)]
        better = verdicts.count("better")
        return max(1 / 3, min(3.0, (1 + better) / (1 + 0.2 * (len(verdicts) - better))))


def describe(edits: Sequence[tuple[str, str]]) -> str:
    """The description of a step: its edits as `site: change`, parted by semicolons."""
    return "; ".join(f"{site}: {change}" for site, change in edits)


def learn(steps: Sequence[Step], metric: Metric) -> Experience:
    """Everything the descriptions of the steps tell. Steps that were never evaluated teach nothing."""
    trials: dict[str, list[Trial]] = {}
    for step in steps:
        verdict = _verdict(step, steps, metric)
        if verdict is None:
            continue
        for part in step.description.split("; "):
            site, mark, change = part.partition(": ")
            if mark:
                trials.setdefault(site, []).append(Trial(change, verdict))
    return Experience({site: tuple(found) for site, found in trials.items()})


def working_ancestor(step: Step, steps: Sequence[Step]) -> Step:
    """The nearest step above this one, by first parents, that has a value; the baseline in the end."""
    while step.request is not None and step.request.parents:
        above = step.request.parents[0]
        if not 0 <= above < step.index:
            break
        step = steps[above]
        if step.ok:
            return step
    return steps[0]


def _verdict(step: Step, steps: Sequence[Step], metric: Metric) -> Verdict | None:
    if step.request is None or not step.description or step.outcome.kind in ("no_change", "unparsable", "refused"):
        return None
    if step.value is None:
        return "failed" if step.outcome.blame == "agent" else None
    before = working_ancestor(step, steps).value
    if before is None:
        return None
    if step.value == before:
        return "same"
    return "better" if metric.better(step.value, before) else "worse"
