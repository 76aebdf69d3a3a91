"""Answering from records instead of from a model."""

from collections import defaultdict, deque
from collections.abc import Iterable
from threading import Lock

from assay.errors import AssayError
from assay.models.base import Completion, ModelSettings, Prompt
from assay.models.names import parse_name


class NotRecorded(AssayError):
    """A question that the records do not answer: the replayed run is not the recorded one."""


class ReplayClient:
    """The recorded calls of one run as a client. Each record answers once, in the order of recording."""

    def __init__(
        self, model: str, settings: ModelSettings, records: Iterable[tuple[str, Completion]], source: str
    ) -> None:
        """`records` are (key, completion) pairs; `source` names the folder they come from, for the error."""
        self.model = parse_name(model).recorded
        self.settings = settings
        self._source = source
        self._lock = Lock()
        self._answers: defaultdict[str, deque[Completion]] = defaultdict(deque)
        for key, completion in records:
            self._answers[key].append(completion)

    def complete(self, prompt: Prompt) -> Completion:
        """Raises NotRecorded, with the beginning of the question, if there is no record of it left."""
        key = prompt.key(self.model, self.settings)
        with self._lock:
            if self._answers[key]:
                return self._answers[key].popleft()
        question = " ".join(prompt.messages[-1].content.split())[:200]
        raise NotRecorded(
            f"{self._source} holds no (further) answer of {self.model} to: {question}…",
            "replay with the version, agent, parameters, task, seed, budget and model settings of the recorded run",
        )
