"""A client whose every call is written down, and which is answered from the record where it can be."""

import time
from dataclasses import dataclass

from assay.models.base import CallLog, Client, Completion, ModelSettings, Prompt


@dataclass(frozen=True)
class LoggedClient:
    """Asks `client` only for what `log` does not know, and saves each answer before giving it on."""

    client: Client
    log: CallLog

    @property
    def model(self) -> str:
        return self.client.model

    @property
    def settings(self) -> ModelSettings:
        return self.client.settings

    def complete(self, prompt: Prompt) -> Completion:
        """Raises what the client raises, and BudgetReached from the log before a call that would be paid for."""
        key = prompt.key(self.model, self.settings)
        recorded = self.log.find(key)
        if recorded is not None:
            return recorded
        self.log.before_call()
        began = time.monotonic()
        completion = self.client.complete(prompt)
        self.log.save(key, prompt, completion, time.monotonic() - began)
        return completion
