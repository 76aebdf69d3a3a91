"""A run in the terminal: its search tree, one node a line, and one step with its diff.

All texts go through `visible`, so that nothing an agent wrote can move the cursor, recolour the screen or hide itself.
"""

import unicodedata
from collections.abc import Iterator

from rich.text import Text

from assay.report.detail import StepReader
from assay.runs.record import Header

Branch = tuple[int, str, str]
"""A step, what stands before its mark, and what stands before all that follows below it."""


def visible(text: str) -> str:
    """The text with every character that a terminal obeys, or that shows nothing, spelled out."""
    return "".join(c if c in "\n\t" or unicodedata.category(c)[0] != "C" else _spelled(c) for c in text)


def _spelled(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def tree_lines(reader: StepReader) -> Iterator[Text]:
    """The run in a line, then its search tree from the baseline down."""
    yield _headline(reader)
    best = best_step(reader)
    for index, prefix in layout({index: reader.parent(index) for index in reader.steps if index}):
        yield Text(prefix, style="dim") + _node(reader, index, index == best)


def layout(parents: dict[int, int]) -> Iterator[tuple[int, str]]:
    """Steps with what stands before each. The largest branch goes straight on, so a long lineage stays in its column.

    `parents` names the parent of every step but the baseline, which is 0; no step comes before its parent.
    """
    children: dict[int, list[int]] = {0: []}
    size: dict[int, int] = dict.fromkeys((0, *parents), 1)
    for step, parent in sorted(parents.items()):
        children.setdefault(parent, []).append(step)
    for step, parent in sorted(parents.items(), reverse=True):
        size[parent] += size[step]
    waiting: list[Branch] = [(0, "", "")]
    while waiting:
        step, before, below = waiting.pop()
        yield step, before
        following = sorted(children.get(step, ()), key=lambda child: (size[child], child))
        if following:
            trunk = following.pop()
            waiting.append((trunk, below, below))
            waiting += [(child, f"{below}├─", f"{below}│ ") for child in sorted(following, reverse=True)]


def best_step(reader: StepReader) -> int:
    """The best by validation, of an unfinished run the best so far; 0 if nothing beat the baseline."""
    if reader.run.finished:
        return reader.run.finished.best
    metric = reader.metric
    values = {i: v for i in reader.steps if (v := reader.outcome(i).outcome.value) is not None}
    if metric is None or not values:
        return 0
    best = 0 if 0 in values else next(iter(values))
    for index, value in values.items():
        if metric.better(value, values[best]):
            best = index
    return best


def step_lines(reader: StepReader, index: int) -> Iterator[Text]:
    """One step: what was asked and how it ended, its log if it failed, and the diff against its parent."""
    stepped, proposed = reader.outcome(index), reader.proposed(index)
    outcome = stepped.outcome
    yield _node(reader, index, index == best_step(reader))
    if proposed:
        request = proposed.request
        yield _plain(f"{request.kind} of step {', '.join(map(str, request.parents))}", request.origin, request.idea)
    if outcome.message or outcome.blame:
        yield _plain(f"blame: {outcome.blame}" if outcome.blame else "", outcome.message)
    for name, value in outcome.metrics.items():
        spread = f" ± {outcome.stderrs[name]:.2g}" if name in outcome.stderrs else ""
        yield Text(f"{visible(name)} = {value:.6g}{spread}")
    if stepped.repeats is not None:
        yield Text(f"the same code as step {stepped.repeats}; nothing was evaluated")
    if turns := reader.turns(index):
        yield Text("turns:", style="bold")
        for turn in turns:
            ended = f", exit code {turn['exit_code']}" if turn["ran"] else ""
            wrong = "" if turn["kind"] in ("ok", "end") else f" ({turn['kind']})"
            yield Text(f"  {turn['turn']} {visible(turn['action'])}{wrong}{ended}", style="dim")
    if outcome.kind != "ok" and (log := reader.log(index)):
        yield Text("log:", style="bold")
        yield from (Text(f"  {visible(line)}", style="dim") for line in log.splitlines())
    yield Text()
    yield from diff_lines(reader.diff(index) if index else "")


def diff_lines(diff: str) -> Iterator[Text]:
    for line in diff.split("\n") if diff else ():
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
        yield Text(visible(line), style="bold" if line.startswith(("+++ ", "--- ")) else style)


def _headline(reader: StepReader) -> Text:
    header: Header = reader.run.header
    spec, finished = header.spec, reader.run.finished
    metric = reader.metric
    arrow = f" · {metric.name} {'↑' if metric.direction == 'max' else '↓'}" if metric else ""
    end = f"ended by {finished.reason}" if finished else "unfinished"
    return Text(visible(f"{spec.agent} · {spec.task} · {spec.model} · seed {spec.seed}{arrow} · {end}"), style="bold")


def _node(reader: StepReader, index: int, best: bool) -> Text:
    outcome = reader.outcome(index).outcome
    proposed = reader.proposed(index)
    ok = outcome.kind == "ok"
    mark, style = ("★", "bold green") if best else ("●", "") if ok else ("✗", "red")
    ending = f"{outcome.value:.6g}" if outcome.value is not None else outcome.kind
    line = Text(f"{mark} {index} {proposed.request.kind if proposed else 'baseline'} ", style=style)
    line.append(ending, style="red" if not ok else "bold")
    line.append(_gain(reader, index))
    if proposed:
        line.append(f"  {visible(' '.join(proposed.description.split()))}", style="dim")
    return line


def _gain(reader: StepReader, index: int) -> str:
    """The normalised improvement over the baseline, where both were measured."""
    value, baseline = reader.outcome(index).outcome.value, reader.outcome(0).outcome.value
    if not index or value is None or baseline is None or reader.metric is None:
        return ""
    return f" ({reader.metric.improvement(value, baseline):+.3f})"


def _plain(*parts: str) -> Text:
    return Text(visible(" · ".join(part for part in parts if part)))
