"""P10 and P13: something is compared with itself, or one method is reported under another's name."""

import ast
import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.code.source import Module, called_name, dotted
from assay.judging.audit.code.words import words_of
from assay.judging.audit.model import Finding

METRIC = re.compile(
    r"(accuracy_score|f1_score|precision_score|recall_score|roc_auc_score|mean_squared_error|mean_absolute_error"
    r"|r2_score|pearsonr|spearmanr"
    r"|kendalltau|corrcoef|cohen_kappa_score|matthews_corrcoef|balanced_accuracy|cosine_similarity|accuracy$"
    r"|compute_(?:accuracy|metric|f1|correlation)|evaluate|wasserstein|score$)",
    re.I,
)
PREDICTED = {
    "pred",
    "preds",
    "prediction",
    "predictions",
    "predicted",
    "yhat",
    "hat",
    "output",
    "outputs",
    "estimate",
    "estimated",
}
TRUTH = {
    "true",
    "truth",
    "label",
    "labels",
    "gold",
    "gt",
    "target",
    "targets",
    "y",
    "reference",
    "expected",
    "actual",
    "test",
}
PREDICTS = re.compile(r"predict|detect|classif|infer(?!red)|estimate|verify|recogni[sz]e|segment|translate", re.I)
PROPOSED = re.compile(r"\b(ours|our|proposed|novel)\b", re.I)
BASELINE = re.compile(r"(baseline|vanilla|standard|plain|naive|erm)", re.I)


def check(case: Case) -> Iterator[Finding]:
    for module in case.program.modules:
        if not module.is_test:
            yield from _same_arguments(case, module)
            yield from _labels_as_predictions(case, module)
            yield from _answers_given(case, module)
            yield from _empty_methods(case, module)
            yield from _copied_results(case, module)
    yield from _unused_method(case)
    yield from _same_method(case)


def _same_arguments(case: Case, module: Module) -> Iterator[Finding]:
    for call in module.calls:
        if len(call.args) < 2 or not METRIC.search(called_name(call)) or not case.program.lives(module, call):
            continue
        first, second = call.args[:2]
        if isinstance(first, ast.Constant) or not dotted(first):
            continue
        same = ast.dump(first) == ast.dump(second)
        alias = (
            not same and isinstance(first, ast.Name) and isinstance(second, ast.Name) and _alias(module, first, second)
        )
        if same or alias:
            yield Finding(
                pattern="P10",
                verdict="invented",
                weight=0.65,
                message=f"`{called_name(call)}` compares `{ast.unparse(first)}` with itself",
                evidence=(module.at(call),),
            )


def _alias(module: Module, a: ast.Name, b: ast.Name) -> bool:
    """Whether one of two names only ever stands for the other."""
    scope = module.function_of(a) or module.tree
    for one, other in ((a.id, b.id), (b.id, a.id)):
        given = [
            n.value
            for n in ast.walk(scope)
            if isinstance(n, ast.Assign)
            and any(dotted(t) == one for t in n.targets)
            and not isinstance(n.targets[0], ast.Subscript)
        ]
        if given and all(_stands_for(value, other) for value in given):
            return True
    return False


def _stands_for(value: ast.expr, name: str) -> bool:
    """`name`, `name.copy()`, `name[:]`, `list(name)`, `np.array(name)`."""
    match value:
        case ast.Name(id=found):
            return found == name
        case ast.Call(func=ast.Attribute(value=inner, attr="copy" | "clone" | "tolist" | "detach" | "astype"), args=_):
            return _stands_for(inner, name)
        case ast.Call(args=[inner]) if called_name(value).rsplit(".", 1)[-1] in (
            "list",
            "array",
            "asarray",
            "deepcopy",
            "copy",
            "tuple",
        ):
            return _stands_for(inner, name)
        case ast.Subscript(value=inner, slice=ast.Slice(lower=None, upper=None)):
            return _stands_for(inner, name)
    return False


def _labels_as_predictions(case: Case, module: Module) -> Iterator[Finding]:
    for node in module.nodes:
        if (
            not isinstance(node, ast.Assign)
            or len(node.targets) != 1
            or not isinstance(node.targets[0], ast.Name)
            or not case.program.lives(module, node)
        ):
            continue
        target = set(words_of(node.targets[0].id))
        sources = [n for n in ast.walk(node.value) if isinstance(n, ast.Name | ast.Attribute)]
        names = {dotted(s) for s in sources}
        direct = any(
            _stands_for(node.value, name) and set(words_of(name)) & TRUTH and not set(words_of(name)) & PREDICTED
            for name in names
        )
        if target & PREDICTED and not target & TRUTH and direct:
            yield Finding(
                pattern="P10",
                verdict="invented",
                weight=0.55,
                message="the labels themselves are taken for predictions",
                evidence=(module.at(node),),
            )


def _answers_given(case: Case, module: Module) -> Iterator[Finding]:
    """A function that should predict is handed the labels and returns them."""
    for name, function in module.functions.items():
        given = {a.arg for a in [*function.args.args, *function.args.kwonlyargs] if set(words_of(a.arg)) & TRUTH}
        if not given or not PREDICTS.search(name) or not case.program.lives(module, function.body[0]):
            continue
        names = set(given)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and any(_stands_for(node.value, known) for known in names):
                names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        returned = [n for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
        if returned and all(any(_stands_for(n.value, known) for known in names) for n in returned if n.value):
            yield Finding(
                pattern="P10",
                verdict="invented",
                weight=0.65,
                message=f"`{name}` is handed the labels and returns them as its predictions",
                evidence=(module.at(function), module.at(returned[0])),
            )


def _copied_results(case: Case, module: Module) -> Iterator[Finding]:
    """`results["ours"] = results["baseline"]`, or the like with a factor."""
    for node in module.nodes:
        match node:
            case ast.Assign(targets=[ast.Subscript(value=holder, slice=ast.Constant(value=str() as to))], value=value):
                pass
            case _:
                continue
        taken = [n for n in ast.walk(value) if isinstance(n, ast.Subscript) and ast.dump(n.value) == ast.dump(holder)]
        keys = {str(n.slice.value) for n in taken if isinstance(n.slice, ast.Constant)}
        plain = all(
            isinstance(
                n,
                ast.Subscript
                | ast.Name
                | ast.Attribute
                | ast.Constant
                | ast.BinOp
                | ast.operator
                | ast.Call
                | ast.expr_context,
            )
            for n in ast.walk(value)
        )
        proposed = PROPOSED.search(to.replace("_", " ")) or BASELINE.search(" ".join(keys))
        simple = not any(
            isinstance(n, ast.Call)
            and called_name(n).rsplit(".", 1)[-1] not in ("copy", "deepcopy", "dict", "round", "min", "max")
            for n in ast.walk(value)
        )
        single = (
            len(keys) == 1
            and to not in keys
            and not any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub | ast.Div) for n in ast.walk(value))
        )
        if (
            keys
            and plain
            and proposed
            and simple
            and single
            and "result" in dotted(holder).lower()
            and case.program.lives(module, node)
        ):
            yield Finding(
                pattern="P13",
                verdict="invented",
                weight=0.6,
                message=f"the results of `{to}` are made from those of `{next(iter(keys))}`",
                evidence=(module.at(node),),
            )


def _empty_methods(case: Case, module: Module) -> Iterator[Finding]:
    """A method that is only another under a new name: an empty subclass, or an alias."""
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and node.bases:
            body = [
                s
                for s in node.body
                if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) and not isinstance(s, ast.Pass)
            ]
            body = [s for s in body if not _only_super(s)]
            bases = [dotted(b) for b in node.bases]
            local = {n.name for m in case.program.modules for n in m.nodes if isinstance(n, ast.ClassDef)}
            if (
                not body
                and any(b in local or BASELINE.search(b) for b in bases)
                and _is_reported(case, node.name)
                and node.name in case.program.called
            ):
                yield Finding(
                    pattern="P13",
                    verdict="contradicted",
                    weight=0.6,
                    message=f"`{node.name}` adds nothing to `{bases[0]}`, yet it is reported as a method of its own",
                    evidence=(module.at(node),),
                )


def _only_super(node: ast.stmt) -> bool:
    """Whether a method only calls the one it overrides."""
    if not isinstance(node, ast.FunctionDef):
        return False
    body = [s for s in node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return (
        len(body) == 1
        and "super()" in ast.unparse(body[0])
        and not isinstance(body[0], ast.If)
        and "+" not in ast.unparse(body[0])
    )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _is_reported(case: Case, name: str) -> bool:
    """Whether a table has a row or a column of that name, or one called proposed."""
    labels = {_plain(label) for _, cell in case.cells for label in (cell.row, cell.column) if label}
    wanted = _plain(re.sub(r"(Model|Net|Trainer|Classifier|Method|Agent)$", "", name))
    return any(wanted and (wanted in label or (len(label) > 3 and label in wanted)) for label in labels) or bool(
        PROPOSED.search(name)
    )


def _unused_method(case: Case) -> Iterator[Finding]:
    """A class of the name that a table reports is defined and never used, although the code makes results."""
    used = case.program.called | {
        b for m in case.program.modules for n in m.nodes if isinstance(n, ast.ClassDef) for b in map(dotted, n.bases)
    }
    used |= {n.attr for m in case.program.modules for n in m.nodes if isinstance(n, ast.Attribute)}
    strings = {text for m in case.program.modules for _, text in m.strings}
    rows = {_plain(cell.row): cell for _, cell in case.cells if len(_plain(cell.row)) >= 4}
    for module in case.program.modules:
        if module.is_test:
            continue
        for node in module.nodes:
            if (
                not isinstance(node, ast.ClassDef)
                or node.name in used
                or node.decorator_list
                or node.name in strings
                or any("Enum" in dotted(b) or "Exception" in dotted(b) for b in node.bases)
            ):
                continue
            core = _plain(re.sub(r"(Model|Net|Trainer|Classifier|Method|Agent|Module|Optimizer|Loss)$", "", node.name))
            row = next(
                (
                    cell
                    for label, cell in rows.items()
                    if len(core) >= 4 and (core == label or core in label or (label in core and len(label) > 5))
                ),
                None,
            )
            if row is not None:
                yield Finding(
                    pattern="P13",
                    verdict="contradicted",
                    weight=0.55,
                    message=f"a table reports '{row.row}', but `{node.name}` is defined and never used: the "
                    f"numbers come from something else",
                    evidence=(module.at(node),),
                )


def _same_method(case: Case) -> Iterator[Finding]:
    """Two names of a table of methods build the same thing with the same arguments."""
    for module in case.program.modules:
        for node in module.nodes:
            if not isinstance(node, ast.Dict) or module.is_test or not case.program.lives(module, node):
                continue
            built: dict[str, str] = {}
            for key, value in zip(node.keys, node.values, strict=True):
                if not (isinstance(key, ast.Constant) and isinstance(key.value, str) and isinstance(value, ast.Call)):
                    continue
                made = called_name(value).rsplit(".", 1)[-1]
                if not made[:1].isupper() or made in ("Path", "DataFrame", "Counter", "Fraction", "Decimal"):
                    continue
                shape = ast.dump(value)
                if shape in built and (_is_reported(case, key.value) or PROPOSED.search(key.value)):
                    yield Finding(
                        pattern="P13",
                        verdict="contradicted",
                        weight=0.6,
                        message=f"'{built[shape]}' and '{key.value}' are the same: `{ast.unparse(value)}`",
                        evidence=(module.at(value),),
                    )
                built.setdefault(shape, key.value)
