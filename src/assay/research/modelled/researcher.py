"""The five stages, each by asking a model."""

import re

from assay.environments.agents.base import InteractiveAgent
from assay.errors import AssayError
from assay.models.base import Client, Completion, Message, Prompt
from assay.research.evidence import read_processes
from assay.research.literature.citations import with_references
from assay.research.literature.paper import Paper
from assay.research.modelled.interactive import conduct_interactively
from assay.research.modelled.render import raw_results, render, stage_prompt
from assay.research.modelled.rounds import conduct, manifest
from assay.research.modelled.turn import spoken
from assay.research.stages import Desk, Draft

IDEA_WORDS = 200
QUERIES = 5
PAPERS_PER_QUERY = 6
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)[^)]*\)")


class ModelResearcher:
    """Asks `client`, whose calls are logged. What a model breaks of what it was asked is noted and not hidden."""

    def __init__(self, client: Client, rounds: int, experimenter: InteractiveAgent | None = None) -> None:
        """Experiments are done in rounds, or by an interactive agent if there is one."""
        self._client = client
        self._rounds = rounds
        self._experimenter = experimenter

    def idea(self, desk: Desk) -> Draft:
        text, notes = self._write(stage_prompt("idea", desk, "idea", words=IDEA_WORDS))
        words = len(text.split())
        if words > IDEA_WORDS:
            notes.append(f"{words} words, {IDEA_WORDS} were asked for")
        return Draft(text=text, notes=tuple(notes))

    def literature(self, desk: Desk) -> Draft:
        """The model chooses the queries and writes; what exists is the library's to say."""
        asked, notes = self._write(stage_prompt("queries", desk, "literature", count=QUERIES))
        queries = [line for line in (re.sub(r"^[\W\d_]+", "", line).strip() for line in asked.splitlines()) if line]
        papers: dict[str, Paper] = {}
        for query in queries[:QUERIES]:
            for paper in desk.library.search(query, PAPERS_PER_QUERY):
                papers.setdefault(paper.key, paper)
        if not papers:
            notes.append(f"nothing was found in {desk.library.name}")
        prompt = stage_prompt("related_work", desk, "literature", papers=list(papers.values()))
        text, more = self._write(prompt)
        return _cited(text, [*notes, *more], tuple(papers.values()), keep=tuple(papers.values()))

    def proposal(self, desk: Desk) -> Draft:
        text, notes = self._write(stage_prompt("proposal", desk, "proposal"))
        return _cited(text, notes, desk.papers())

    def experiments(self, desk: Desk) -> Draft:
        if self._experimenter is not None:
            conducted = conduct_interactively(self._client, desk, self._experimenter)
        else:
            prompt = stage_prompt("experiments", desk, "experiments", rounds=self._rounds)
            conducted = conduct(self._client, desk.bench, prompt, self._rounds)
        notes = list(conducted.notes)
        if not conducted.measured:
            notes.append("nothing was measured: no command ended well and left a file")
        question = render("results", raw=raw_results(desk), measured=conducted.measured)
        text, more = self._write(_continued(conducted.conversation, question))
        return Draft(text=text, notes=(*notes, *more, *_missing_figures(text, desk)))

    def paper(self, desk: Desk) -> Draft:
        processes = [record for record in read_processes(desk.paths.root) if record.stage == "experiments"]
        raw = raw_results(desk)
        figures = [each["path"].removeprefix("results/") for each in raw if each["path"].endswith((".svg", ".png"))]
        prompt = stage_prompt("paper", desk, "paper", raw=raw, figures=figures, manifest=manifest(processes))
        text, notes = self._write(prompt)
        return _cited(text, [*notes, *_missing_figures(text, desk)], desk.papers())

    def _write(self, prompt: Prompt) -> tuple[str, list[str]]:
        """What the model says, and what is to be noted. Raises AssayError if it says nothing that can be used."""
        completion = self._client.complete(prompt)
        text = _unwrapped(spoken(completion.text))
        if not completion.usable or not text:
            raise AssayError(
                f"{self._client.model} gave no text: {completion.stop}",
                "run the same command again, or use another model",
            )
        return text, _cut(completion)


def _cut(completion: Completion) -> list[str]:
    return ["the answer was cut off at the output limit"] if completion.stop == "length" else []


def _continued(conversation: Prompt, question: str) -> Prompt:
    """The conversation with a question at its end. Two messages of one side become one: some providers want turns."""
    *before, last = conversation.messages
    if last.role == "user":
        return Prompt(messages=(*before, Message(role="user", content=f"{last.content}\n{question}")))
    return conversation.then(Message(role="user", content=question))


def _cited(text: str, notes: list[str], papers: tuple[Paper, ...], keep: tuple[Paper, ...] = ()) -> Draft:
    checked, unknown = with_references(text, papers)
    if unknown:
        notes.append(f"cites what no library knows: {', '.join(unknown)}")
    return Draft(text=checked, notes=tuple(notes), papers=keep)


def _missing_figures(text: str, desk: Desk) -> list[str]:
    missing = [link for link in IMAGE.findall(text) if not _is_result(link, desk)]
    return [f"shows figures that are not among the results: {', '.join(missing)}"] if missing else []


def _is_result(link: str, desk: Desk) -> bool:
    file = (desk.paths.results / link).resolve()
    return file.is_relative_to(desk.paths.results.resolve()) and file.is_file()


def _unwrapped(text: str) -> str:
    """A whole answer between fences is taken out of them."""
    match = re.fullmatch(r"(`{3,})(?:markdown|md)?\n(.*)\n\1", text, re.DOTALL)
    return match[2].strip() if match else text
