"""Numeric constants: settings of the module, keyword arguments, defaults, bounds of loops, factors in formulas."""

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.proposers.mutations.scales import FIXED, moved, words, written
from assay.proposers.mutations.site import Edit, Site, Trial, place, replacement, tried, vocabulary
from assay.proposers.mutations.source import Source, defaulted

SHAPING = vocabulary(
    "arange argsort array asarray astype concatenate default_rng diag empty expand_dims eye flip full getattr identity "
    "isinstance len moveaxis ones print repeat reshape roll seed split squeeze stack sum swapaxes tile transpose "
    "zeros RandomState Random SeedSequence"
)
"""Calls whose plain numbers are shapes, axes and seeds."""
SETTLED = vocabulary("axis copy ddof decimals dtype keepdims n_jobs ndim out random_state shape size verbose")
"""Keyword arguments that are no settings."""
SEEDS = vocabulary("seed seeds")
SEVERAL_TRIES = 8
LARGEST = 1e12


@dataclass(frozen=True)
class _Role:
    """What a number is for."""

    name: str
    """What it is called or where it stands, in words."""
    weight: float
    label: str
    """The name its scale is judged by."""


def sites(source: Source) -> Iterator[Site]:
    """One site a number that may be a setting. Indices, shapes, axes and seeds are left alone."""
    seen: dict[str, int] = {}
    for node in source.nodes:
        if not isinstance(node, ast.Constant) or not _is_number(node.value):
            continue
        role = _role(source, node)
        if role is None:
            continue
        name = place(role.name, source.where(node))
        above = source.parent(node)
        negative = isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.USub)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name = f"{name} (number {seen[name]})"
        yield _site(source, above if negative and above else node, role, name)


def _is_number(value: object) -> bool:
    """Whether it is a number within the range of settings: beyond it, a step could leave what Python can write down."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST


def _site(source: Source, node: ast.AST, role: _Role, name: str) -> Site:
    """`node` is the constant, or the minus before it."""
    value = ast.literal_eval(node)
    whole = isinstance(value, int)

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        known = tried(trials)
        for _ in range(SEVERAL_TRIES):
            after = moved(value, role.label, whole, trials, rng)
            if after != value and written(after) not in known:
                change = replacement(written(value), written(after))
                return Edit(change, (source.replace(node, _apart(source, node, written(after))),))
        return None

    weight = role.weight * (0.3 if 0 < abs(value) < 1e-5 else 1.0)
    return Site("number", name, f"change {name} from {source.segment(node)}", make, weight)


def _apart(source: Source, node: ast.AST, text: str) -> str:
    """`0if x` is legal before a keyword and `0.5if x` is not: keep a space where the number touched a word."""
    end = source.end(node)
    return text + " " if source.between(end, end + 1).isalpha() else text


def _role(source: Source, node: ast.Constant) -> _Role | None:
    """None for a number that is no setting."""
    inner: ast.AST = node
    above = source.parent(node)
    while isinstance(above, ast.UnaryOp | ast.Tuple | ast.List | ast.Starred):
        inner, above = above, source.parent(above)
    role = _named(source, inner, above) or _bare(source, inner, above)
    return None if role is None or set(words(role.label)) & FIXED else role


def _named(source: Source, node: ast.AST, above: ast.AST | None) -> _Role | None:
    """Numbers with a name of their own."""
    if isinstance(above, ast.keyword):
        if above.arg is None or above.arg in SETTLED:
            return None
        call = source.parent(above)
        owner = _short(call.func) if isinstance(call, ast.Call) else ""
        return _Role(f"{above.arg} of {owner}", 3.0, above.arg)
    if isinstance(above, ast.Assign | ast.AnnAssign):
        target = above.targets[0] if isinstance(above, ast.Assign) else above.target
        names = ast.unparse(target)
        top = source.parent(above) is source.tree
        return _Role(names, _top_weight(node) if top else _local_weight(node, 1.0), names.rpartition(".")[2])
    if isinstance(above, ast.arguments):
        name = defaulted(above, node)
        return _Role(f"default of {name}", 2.0, name)
    if isinstance(above, ast.Dict):
        key = next((k for k, v in zip(above.keys, above.values, strict=True) if v is node), None)
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return _Role(f"entry {key.value}", 3.0, key.value)
    return None


def _bare(source: Source, node: ast.AST, above: ast.AST | None) -> _Role | None:
    """Numbers inside a formula or a call, named by what stands around them."""
    if isinstance(above, ast.BinOp):
        other = above.right if above.left is node else above.left
        if SEEDS & set(words(ast.unparse(other))):
            return None
        sign = type(above.op).__name__.lower()
        return _Role(f"number beside `{_short(other)}` ({sign})", _local_weight(node, 1.0), "")
    if isinstance(above, ast.Compare):
        return _Role(f"bound of `{_short(above.left)}`", _local_weight(node, 1.5), "threshold")
    if isinstance(above, ast.Call):
        name = _short(above.func)
        if name.rpartition(".")[2] in SHAPING or node not in above.args:
            return None
        number = above.args.index(node) + 1
        return _Role(f"argument {number} of {name}", _local_weight(node, 1.5 if name == "range" else 0.7), name)
    if isinstance(above, ast.IfExp | ast.Return):
        return _Role("number", 0.5, "")
    return None


def _top_weight(node: ast.AST) -> float:
    """A setting of the module at zero is most often something that was built in and switched off: worth a try first."""
    return 6.0 if isinstance(node, ast.Constant) and node.value == 0 else 4.0


def _local_weight(node: ast.AST, weight: float) -> float:
    """Zero, one and two inside a formula belong to it more often than they are settings."""
    return 0.2 * weight if isinstance(node, ast.Constant) and node.value in (0, 1, 2) else weight


def _short(node: ast.AST) -> str:
    """A few characters of code that stay the same while the numbers in it move."""
    return "".join("…" if c.isdigit() else c for c in ast.unparse(node))[:28]
