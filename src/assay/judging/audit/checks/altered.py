"""P1: one measurement becomes several. Another method, seed, ablation or epoch is the measured value moved by typed or
random numbers."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.code.outcomes import saves
from assay.judging.audit.code.source import Module, called_name, dotted
from assay.judging.audit.code.words import vocabulary, words_of
from assay.judging.audit.model import Finding

EVALUATIONS = vocabulary(
    """
    accuracy acc accuracies f1 recall auc auroc auprc bleu rouge bertscore perplexity ppl mse rmse mae mape r2 ece nll
    brier iou mrr ndcg psnr ssim fid wer cer dice mcc em top1 top5 kappa
    """
)
"""Measures that only an evaluation yields. Rewards, losses and scores are left out: noise is added to them for good
reasons while something learns."""
NO_EVALUATION = vocabulary("threshold target tol weight weights fn noise private cost limit")
EVALUATES = re.compile(r"^(score|evaluate\w*)$")
WRAPPERS = vocabulary("float round max min clip abs maximum minimum clamp item")
RESAMPLES = re.compile(r"privat|(^|_)dp(_|$)|bootstrap|resampl|posterior|laplace|mechanism|permut", re.I)
"""Functions in which noise upon a measurement is the method."""
BOUND = re.compile(r"low|high|upper|lower|thresh|target|min|max|bound|lim|tol|ci|band|margin", re.I)
TRIFLE = 1e-5
"""Noise below this breaks ties."""
DEPTH = 6


def check(case: Case) -> Iterator[Finding]:
    for module in case.program.modules:
        if module.is_test or not (saves(module) or module.stem in case.program.imported):
            continue
        places = [*_jittered(case, module), *_scaled(case, module)]
        if places:
            yield Finding(
                pattern="P1",
                verdict="invented",
                weight=0.55,
                message="a measured outcome, moved by typed or random numbers, stands for others never measured",
                evidence=tuple(dict.fromkeys(module.at(place) for place in places))[:5],
            )


def _jittered(case: Case, module: Module) -> Iterator[ast.expr]:
    """Measurements with random noise of a typed size on them that are kept."""
    for node in module.nodes:
        if not isinstance(node, ast.BinOp) or isinstance(module.parents.get(node), ast.BinOp):
            continue
        if not _is_kept(module, node) or not case.program.lives(module, node):
            continue
        function = module.function_of(node)
        if function is not None and RESAMPLES.search(function.name):
            continue
        moved = _moved(case, module, node)
        if moved is not None and moved[1] and max(map(abs, moved[2]), default=0.0) > TRIFLE:
            yield node


def _scaled(case: Case, module: Module) -> Iterator[ast.expr]:
    """Variants in one dictionary that are the same measurement times, plus or less different typed numbers."""
    for node in module.nodes:
        if not isinstance(node, ast.Dict | ast.For) or not case.program.lives(module, node):
            continue
        if isinstance(node, ast.Dict) and not BOUND.search(_held_by(module, node)):
            variants: dict[str, dict[frozenset[float], ast.expr]] = defaultdict(dict)
            for key, value in zip(node.keys, node.values, strict=True):
                named = isinstance(key, ast.Constant) and isinstance(key.value, str) and not BOUND.search(key.value)
                moved = _moved(case, module, value) if named and isinstance(value, ast.BinOp | ast.Call) else None
                if moved is not None and (numbers := moved[2] - {0.0, 1.0, 2.0, 100.0}):
                    variants[moved[0]][numbers] = value
            for values in variants.values():
                if len(values) >= 2:
                    yield from values.values()
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Tuple):
            names = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
            yield from (v for v in _filled(node, names) if (m := _moved(case, module, v)) and len(m[2]) >= 2)


def _held_by(module: Module, node: ast.expr) -> str:
    """The name that a value is given; empty if it is given none."""
    above = module.parents.get(node)
    return " ".join(dotted(t) for t in above.targets) if isinstance(above, ast.Assign) else ""


def _filled(loop: ast.For, names: set[str]) -> Iterator[ast.expr]:
    """What a loop over names and numbers lays under each name, if it is made with the number."""
    for node in ast.walk(loop):
        match node:
            case ast.Assign(targets=[ast.Subscript(slice=ast.Name(id=key))], value=value) if key in names:
                for made in value.values if isinstance(value, ast.Dict) else [value]:
                    if any(isinstance(n, ast.Name) and n.id in names - {key} for n in ast.walk(made)):
                        yield made


def _is_kept(module: Module, node: ast.expr) -> bool:
    """Whether a value is stored or returned, and not only compared, drawn beside a point or passed to a call."""
    below: ast.AST = node
    for above in module.enclosing(node):
        match above:
            case ast.Call(func=ast.Attribute(attr="append")):
                return True
            case ast.Call() if called_name(above).rsplit(".", 1)[-1] in WRAPPERS:
                below = above
            case ast.UnaryOp() | ast.BinOp():
                below = above
            case ast.comprehension():
                return False
            case ast.Dict() | ast.List() | ast.Tuple() | ast.ListComp() | ast.GeneratorExp() | ast.DictComp():
                return True
            case ast.Return() | ast.Assign() | ast.AnnAssign():
                return above.value is below
            case _:
                return False
    return False


def _moved(case: Case, module: Module, node: ast.expr) -> tuple[str, bool, frozenset[float]] | None:
    """The one measurement that an expression moves by typed or random numbers, whether by random ones, and the
    numbers. None if it moves none, or if anything else that was measured has a part in it."""
    measured: set[str] = set()
    numbers: set[float] = set()
    random = False
    for leaf in _leaves(node):
        origin = case.flow.origin(leaf, module)
        if origin.is_measured:
            if not _is_evaluation(case, module, leaf, 0):
                return None
            measured.add(ast.dump(leaf))
        else:
            random |= origin.is_random
            numbers |= origin.numbers
    return (measured.pop(), random, frozenset(numbers)) if len(measured) == 1 else None


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    """The parts that are added, subtracted, multiplied or divided."""
    match node:
        case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
            yield from _leaves(left)
            yield from _leaves(right)
        case ast.UnaryOp(operand=operand):
            yield from _leaves(operand)
        case ast.Call(args=[_, *_]) if called_name(node).rsplit(".", 1)[-1] in WRAPPERS:
            for argument in node.args:
                yield from _leaves(argument)
        case _:
            yield node


def _is_evaluation(case: Case, module: Module, node: ast.expr, depth: int) -> bool:
    """Whether all that an expression may stand for is the outcome of an evaluation."""
    if depth > DEPTH:
        return False
    match node:
        case ast.Subscript(slice=ast.Constant(value=str() as key)) if _names_evaluation(key):
            return True
        case ast.Subscript(value=value):
            return _is_evaluation(case, module, value, depth + 1)
        case ast.Attribute(attr=name):
            return _names_evaluation(name)
        case ast.Call() if called_name(node).rsplit(".", 1)[-1] in WRAPPERS | {"mean"} and node.args:
            return _is_evaluation(case, module, node.args[0], depth + 1)
        case ast.Call():
            last = called_name(node).rsplit(".", 1)[-1]
            return _names_evaluation(last) or bool(EVALUATES.search(last))
        case ast.BinOp():
            return any(_is_evaluation(case, module, leaf, depth + 1) for leaf in _leaves(node))
        case ast.Name(id=name):
            if _names_evaluation(name):
                return True
            ways = case.flow.ways(node, module)
            return bool(ways) and all(_is_evaluation(case, where, way, depth + 1) for way, where in ways)
    return False


def _names_evaluation(name: str) -> bool:
    words = words_of(name)
    return bool(EVALUATIONS.intersection(words)) and not NO_EVALUATION.intersection(words)
