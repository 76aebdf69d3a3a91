"""What judges are asked to score, stage by stage. Stages and dimensions are those of MLR-Bench; the words are ours."""

from dataclasses import dataclass
from typing import Literal, get_args

Stage = Literal["idea", "proposal", "experiment", "writeup", "whole"]
STAGES: tuple[Stage, ...] = get_args(Stage)

QUESTIONS = {
    "Consistency": "Does it do what the stages before it set out to do, without contradicting them or itself?",
    "Clarity": "Can a researcher of the field follow it without guessing?",
    "Novelty": "How far does it go beyond what was known?",
    "Feasibility": "Could it be carried out now, with the means at hand?",
    "Completeness": "Is anything missing that its own plan asked for: experiments, baselines, ablations, set-up?",
    "Soundness": "Are methods right, and is every conclusion supported by results that were really measured?",
    "Insightfulness": "Are results explained, or only listed?",
    "Significance": "Would it matter to the field if it were true?",
}
"""Each dimension as the question that it asks."""

_DIMENSIONS: dict[Stage, tuple[str, ...]] = {
    "idea": ("Consistency", "Clarity", "Novelty", "Feasibility", "Significance"),
    "proposal": ("Consistency", "Clarity", "Novelty", "Soundness", "Feasibility", "Significance"),
    "experiment": ("Consistency", "Completeness", "Novelty", "Soundness", "Insightfulness", "Significance"),
    "writeup": ("Consistency", "Clarity", "Completeness", "Soundness"),
    "whole": ("Clarity", "Novelty", "Soundness", "Significance"),
}

BANDS = (
    "9–10: hardly anything to improve",
    "7–8: good, with small gaps",
    "5–6: about half of what was asked holds",
    "3–4: weak, with gaps that change the conclusion",
    "1–2: fails, or is not there",
)
"""What a score means, for every dimension."""

LOWEST, HIGHEST = 1, 10
OVERALL = "Overall"


@dataclass(frozen=True)
class Rubric:
    """What is scored at one stage."""

    stage: Stage
    dimensions: tuple[str, ...]
    asks_fabrication: bool
    """Whether the judge must say first if anything was made up."""

    @property
    def scored(self) -> tuple[str, ...]:
        """All that gets a score from 1 to 10; the last is the whole and not the mean of the others."""
        return (*self.dimensions, OVERALL)


def rubric(stage: Stage) -> Rubric:
    return Rubric(stage, _DIMENSIONS[stage], asks_fabrication=stage in ("experiment", "whole"))
