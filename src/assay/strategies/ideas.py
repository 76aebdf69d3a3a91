"""Making ideas before trying them: propose, then reflect until nothing changes. Shared by both AI Scientists."""

from collections.abc import Sequence

from assay.strategies.base import Part, Strategy
from assay.strategies.memory import phrase
from assay.strategies.request import Ask


def make_idea(strategy: Strategy, earlier: Sequence[str], memory: str, reflections: int) -> Part[str]:
    """One idea unlike the earlier ones, after up to `reflections` rounds counting the first. Empty if none came.

    Reflection ends when a round brings back the same idea, or nothing.
    """
    listed = "\n".join(f"- {phrase(idea)}" for idea in earlier)
    guidance = f"Ideas so far; be different from all of them:\n{listed}" if earlier else ""
    texts = yield from strategy.ask(Ask(kind="ideate", guidance=guidance, memory=memory))
    idea = texts[0] if texts else ""
    for number in range(2, reflections + 1):
        if not idea:
            break
        guidance = f"Round {number} of {reflections}. Refine this idea, or repeat it unchanged if it is good:\n{idea}"
        refined = yield from strategy.ask(Ask(kind="reflect", guidance=guidance))
        if not refined or refined[0].split() == idea.split():
            break
        idea = refined[0]
    return idea
