"""A program's models, by way of the gateway: the keys stay here, every call is recorded and counts against the caps."""

import socket
from contextlib import ExitStack

from assay.environments.command.gateway.books import GatewayCall
from assay.environments.command.gateway.server import Gateway
from assay.errors import AssayError, UsageError
from assay.models.base import Message, Prompt
from assay.models.names import OFFLINE
from assay.models.prices import priced
from assay.runs.agents import Opened


def open_models(stack: ExitStack, opened: Opened, listener: socket.socket | None) -> dict[str, str]:
    """Open the gateway for as long as `stack` lasts, and return the variables by which a program finds it.

    With `offline` there is none: a program then brings its own model, or needs none. It is served on `listener`, else
    on this machine's loopback, which a program with network reaches.
    """
    if opened.spec.model == OFFLINE:
        return {}
    tape = opened.session.tape

    def after(call: GatewayCall) -> None:
        prompt = Prompt(messages=(Message(role="user", content=call.request),))
        tape.save(prompt.key(call.model, opened.spec.settings), prompt, call.completion, call.seconds)

    def before(model: str) -> None:
        if opened.spec.caps.usd is not None and not priced(model):
            raise UsageError(f"the price of '{model}' is not known, so a cap in dollars could not hold")
        opened.session.check_acting()

    # what a provider does itself, such as searching the web, is a network by another name
    gateway = Gateway([opened.spec.model], before, after, listener=listener, hosted_tools=listener is None)
    return stack.enter_context(gateway).variables


def no_way_to_models() -> AssayError:
    """The error where there is no network namespace in which only the gateway could be reached."""
    return AssayError(
        "this machine has no way to let a program reach a model and nothing else",
        "see what it lacks: assay doctor; or permit the whole network: --allow-network",
    )
