"""Finding strategies by name, and building their parameters from the command line."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Protocol, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from assay.errors import AssayError, UsageError, unknown
from assay.strategies.base import Params, Strategy

GROUP = "assay.strategies"
"""The entry point group in which other packages name their strategies."""
BUILT_IN = {
    "adaptive_search": "assay.strategies.adaptive_search:AdaptiveSearch",
    "ai_scientist": "assay.strategies.ai_scientist:AiScientist",
    "ai_scientist_v2": "assay.strategies.ai_scientist_v2:AiScientistV2",
    "aide": "assay.strategies.aide:Aide",
    "aira_mcts": "assay.strategies.aira_mcts:AiraMcts",
    "autoresearch": "assay.strategies.autoresearch:Autoresearch",
    "noise": "assay.strategies.noise:NoiseOnly",
    "nop": "assay.strategies.nop:Nop",
    "openevolve": "assay.strategies.openevolve:OpenEvolve",
    "oracle": "assay.strategies.oracle:Oracle",
}
PRESETS = ("fmlbench", "upstream")
"""Accepted for every strategy, so that a sweep can name one; the defaults where a strategy has nothing else to set."""


class Described(Protocol):
    """What of an agent's class the command line needs: a strategy's, or that of an agent of another kind."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def Params(self) -> type[Params]: ...  # noqa: N802, it is a class


@dataclass(frozen=True)
class AgentInfo:
    """One line of `assay list agents`."""

    name: str
    summary: str
    source: str
    """`assay`, or the package that brings it."""


def agents() -> dict[str, AgentInfo]:
    """All strategies known by name. One of another package that cannot be imported is listed with the reason."""
    found = {name: AgentInfo(name, find_strategy(name).summary, "assay") for name in BUILT_IN}
    for name, point in _plugins().items():
        source = point.dist.name if point.dist else point.value
        try:
            summary = find_strategy(name).summary
        except AssayError as error:
            summary = error.message
        found[name] = AgentInfo(name, summary, source)
    return dict(sorted(found.items()))


def find_strategy(name: str) -> type[Strategy]:
    """A strategy by its name or as `module:Class`. Raises UsageError with the nearest names, or the reason."""
    target = BUILT_IN.get(name)
    if target is None and name in _plugins():
        target = _plugins()[name].value
    if target is None and ":" in name:
        target = name
    if target is None:
        raise unknown("agent", name, [*BUILT_IN, *_plugins()], "assay list agents")
    found = load_class(target)
    if not (isinstance(found, type) and issubclass(found, Strategy)):
        raise UsageError(f"'{target}' is not a strategy", "a strategy is a subclass of assay.strategies.base.Strategy")
    return found


def build_params(strategy: Described, preset: str | None, overrides: Mapping[str, str]) -> Params:
    """A strategy's parameters: its defaults, a preset's values over them, and these texts over both.

    Raises UsageError, before anything runs, for an unknown preset or parameter and for a value of the wrong type.
    """
    presets = strategy.Params.presets
    if preset is not None and preset not in {*presets, *PRESETS}:
        raise unknown("preset", preset, {*presets, *PRESETS}, ", ".join(sorted({*presets, *PRESETS})))
    fields = strategy.Params.model_fields
    for key in overrides:
        if key not in fields:
            known = [f"{strategy.name}.{field}" for field in fields]
            raise unknown("parameter", f"{strategy.name}.{key}", known, describe_params(strategy))
    values = {key: _parse(text, fields[key]) for key, text in overrides.items()}
    try:
        return strategy.Params.model_validate({**presets.get(preset or "", {}), **values})
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "parameters"
        raise UsageError(
            f"{strategy.name}.{key}={overrides.get(str(first['loc'][0]) if first['loc'] else '', '')}: {first['msg']}",
            f"parameters of {strategy.name}: {describe_params(strategy)}",
        ) from None


def describe_params(strategy: Described) -> str:
    """Every parameter with its default, for error messages and `assay list agents`."""
    shown = (f"{key}={_show(field.default)}" for key, field in strategy.Params.model_fields.items())
    return " ".join(shown) or "none"


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in BUILT_IN}


def load_class(target: str) -> Any:
    """What `module:Class` names. Raises UsageError with the reason if there is no such thing."""
    module, _, name = target.partition(":")
    # a module in the current folder is found as by `python -m`, and hides nothing that is installed
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    cure = "write it as module:Class, with the module installed or in the current folder; see docs/add-an-agent.md"
    try:
        return getattr(import_module(module), name)
    except AttributeError:
        raise UsageError(f"module '{module}' has no '{name}'", cure) from None
    except Exception as error:
        raise UsageError(f"cannot import agent '{target}': {type(error).__name__}: {error}", cure) from None


def _parse(text: str, field: FieldInfo) -> Any:
    """A value from the command line: JSON where it is JSON, `none`, a list with commas, otherwise the text."""
    kinds = get_args(field.annotation) or (field.annotation,)
    if text.lower() == "none" and type(None) in kinds:
        return None
    if get_origin(field.annotation) is tuple and str in kinds:
        return json.loads(text) if text.startswith("[") else [part.strip() for part in text.split(",") if part.strip()]
    if str in kinds:
        return text
    if "," in text and not text.startswith("["):
        text = f"[{text}]"
    try:
        return json.loads(text.lower() if text.lower() in ("true", "false") else text)
    except json.JSONDecodeError:
        return text


def _show(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else "none" if value is None else str(value)
