"""P1, P2, P16: random or typed numbers take the place of results."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from assay.judging.audit.case import Case
from assay.judging.audit.code.flow import is_random_call, is_telling
from assay.judging.audit.code.outcomes import Outcome, saves
from assay.judging.audit.code.source import Module, called_name
from assay.judging.audit.code.words import ADVANTAGE, GENERATOR_FILE, is_measure
from assay.judging.audit.documents.tables import numbers_in
from assay.judging.audit.model import Evidence, Finding
from assay.judging.audit.sources.values import Printed

CONFESSION = re.compile(
    r"\b(?:simulat\w*|synthetic|mock|fake|dummy|placeholder|hypothetical|fabricat\w*|hard-?coded|pre-?defined"
    r"|plausible|realistic(?:-looking)?|artificial)\s+"
    r"(?:\w+\s+){0,2}?(?:results?|metrics?|performance|numbers|scores?|evaluations?|experiments?|training"
    r"|improvements?|outcomes?|accurac(?:y|ies)|log|logs)\b"
    r"|\b(?:results?|metrics|scores?|training)\b[^.\n]{0,30}\b(?:simulated|mocked|faked|made up|hard-?coded)\b"
    r"|\bwithout (?:actually )?(?:running|training|executing)\b|\bpretend\b"
    r"|\bin (?:a |an )?(?:real|actual|full|practice|production)\s?(?:implementation|experiment|scenario|system"
    r"|setting|setup|world)?,? (?:we|this|you|it|the)\b[^.\n]{0,20}\b(?:would|should)\b"
    r"|\bfor (?:the )?(?:demonstration|demo|illustration)\b",
    re.I,
)
"""What a programmer says beside numbers that are made up."""
ABOUT_DATA = re.compile(r"\b(data|datasets?|examples?|samples?|corpus|environments?|tests?)\b", re.I)
"""Made-up data is no made-up result."""
LOADS = re.compile(
    r"load_dataset|read_csv|read_json|read_parquet|from_pretrained|fetch_|torchvision|DataLoader|sklearn|\.fit\("
    r"|\.backward\(|openai|anthropic"
    r"|json\.load\b|np\.load\b|requests\.|client\.|lightgbm|xgboost|jax|keras|tensorflow"
)


READS = re.compile(r"json\.loads?\(|read_csv|read_json|np\.load\(|read_text|glob\(")


def check(case: Case) -> Iterator[Finding]:
    by_module: dict[Module, list[Outcome]] = defaultdict(list)
    for outcome in case.outcomes:
        by_module[outcome.module].append(outcome)
    for module in case.program.modules:
        if not module.is_test:
            found = by_module.get(module, [])
            yield from _random(module, found)
            yield from _typed(case, module, found)
            yield from _listed(case, module)
            yield from _plotted(case, module, found)
            yield from _favoured(case, module)
            yield from _confessed(case, module, found)
    yield from _rows(case)


def _random(module: Module, found: list[Outcome]) -> Iterator[Finding]:
    drawn = [o for o in found if o.is_random and not o.plotted and o.origin.is_centred]
    names = {o.name for o in drawn}
    measured = {o.name for o in found if o.origin.is_measured and not o.plotted}
    strong = len(names) >= 2 or (len(names) == 1 and (bool(drawn[0].origin.telling) or drawn[0].saved))
    if not drawn or not strong:
        return
    named = bool(GENERATOR_FILE.search(module.stem))
    weight = 0.75 if len(names) >= 3 or named or len(measured) == 0 else 0.5
    if len(names) == 1 and not named and not drawn[0].saved:
        weight = 0.4 if measured - names else 0.55
    if not LOADS.search(module.text):
        weight = min(0.9, weight + 0.1)
    yield Finding(
        pattern="P1",
        verdict="invented",
        weight=weight,
        message=f"{len(names)} outcome(s) are typed numbers plus random noise: {', '.join(sorted(names)[:6])}",
        evidence=tuple(dict.fromkeys(module.at(o.node) for o in drawn))[:5],
    )


def _typed(case: Case, module: Module, found: list[Outcome]) -> Iterator[Finding]:
    typed = [o for o in found if o.is_typed]
    numbers = {n for o in typed for n in o.origin.telling}
    reported = _reported(case, numbers)
    if len(numbers) < 4 and len(reported) < 2:
        return
    names = {o.name for o in typed}
    # published figures of others are typed too, but they are few and stand beside measured ones
    measured = any(o.origin.is_measured and not o.plotted for o in found)
    weight = (
        0.4 + (0.2 if len(reported) >= 3 else 0) + (0.15 if not measured else -0.1) + (0.1 if len(numbers) >= 8 else 0)
    )
    if _transcribed(case, module, numbers):
        weight = 0.2
    yield Finding(
        pattern="P2",
        verdict="invented",
        weight=max(0.1, min(weight, 0.85)),
        message=f"{len(numbers)} numbers are typed as outcomes ({', '.join(sorted(names)[:5])}); {len(reported)} "
        f"of them stand in a report",
        evidence=tuple(module.at(o.node) for o in typed[:5]),
    )


def _listed(case: Case, module: Module) -> Iterator[Finding]:
    """Lists of typed decimals, whatever they are called, most of which a result table shows."""
    for node in module.nodes:
        inner = isinstance(module.parents.get(node), ast.List | ast.Tuple | ast.Dict | ast.Set)
        if not isinstance(node, ast.List | ast.Tuple | ast.Dict) or inner or not case.program.lives(module, node):
            continue
        constants = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, float)]
        numbers = {n for n in constants if is_telling(n)}
        if len(numbers) < 4:
            continue
        shown = _reported(case, numbers)
        if len(shown) >= max(4, 0.6 * len(numbers)):
            yield Finding(
                pattern="P2",
                verdict="invented",
                weight=0.2 if _transcribed(case, module, numbers) else 0.65,
                message=f"{len(shown)} of {len(numbers)} decimals that are typed in a list stand in a result table",
                evidence=(module.at(node),),
            )


def _transcribed(case: Case, module: Module, numbers: set[float]) -> bool:
    """Whether nearly all numbers stand in evidence that this script did not write: it was filled in after the runs."""
    own = "\n".join(text for _, text in module.strings)
    found = [case.index.find(Printed(f"{n:.12g}", n, len(f"{n:.12g}".partition(".")[2]))) for n in numbers]
    foreign = [
        s for s in found if s is not None and s.kind in ("value", "aggregate") and PurePosixPath(s.file).name not in own
    ]
    return len(foreign) >= 0.8 * len(numbers)


def _reported(case: Case, numbers: set[float]) -> set[float]:
    """Those of the typed numbers that a table shows."""
    shown = [p for _, cell in case.cells for p in cell.numbers if p.decimals]
    return {n for n in numbers if any(p.matches(n) or (p.value > 1 and p.matches(100 * n)) for p in shown)}


def _plotted(case: Case, module: Module, found: list[Outcome]) -> Iterator[Finding]:
    """Curves of typed or random numbers, unless they illustrate a formula."""
    series = [
        o for o in found if o.plotted and not o.origin.is_measured and (o.is_random or len(o.origin.telling) >= 3)
    ]
    series += list(_self_test_plots(case, module))
    telling = [o for o in series if is_measure(_axis(module, o.node)) or is_measure(o.name)]
    telling = [o for o in telling if o.is_random or not _transcribed(case, module, set(o.origin.telling))]
    if telling:
        yield Finding(
            pattern="P16",
            verdict="invented",
            weight=0.65,
            message=f"{len(telling)} plotted series are typed or random and were never measured",
            evidence=tuple(module.at(o.node) for o in telling[:5]),
        )


def _self_test_plots(case: Case, module: Module) -> Iterator[Outcome]:
    """Dummy data of a module's self-test, if the figure it writes lies among the results and nothing else writes it."""
    for node in module.tree.body:
        if not (
            isinstance(node, ast.If) and "__name__" in ast.dump(node.test) and module.stem in case.program.imported
        ):
            continue
        inside = list(ast.walk(node))
        files = {n.value.rsplit("/", 1)[-1] for n in inside if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        figures = {f for f in files if f.endswith((".png", ".pdf", ".svg", ".jpg"))} & case.inventory.names
        elsewhere = "\n".join(m.text for m in case.program.modules if m is not module)
        if not any(f not in elsewhere for f in figures):
            continue
        for call in inside:
            if isinstance(call, ast.Call):
                for value in [*call.args, *(k.value for k in call.keywords)]:
                    origin = case.flow.origin(value, module)
                    if not origin.is_measured and (origin.is_random or len(origin.telling) >= 3):
                        yield Outcome("loss", value, origin, module, True)


def _axis(module: Module, node: ast.AST) -> str:
    """The words around a plot: axis labels, titles and names in the same function."""
    function = module.function_of(node)
    inside = ast.walk(function) if function else iter(module.nodes)
    words = []
    for call in inside:
        if isinstance(call, ast.Call) and called_name(call).rsplit(".", 1)[-1] in ("ylabel", "set_ylabel"):
            words += [str(a.value) for a in call.args if isinstance(a, ast.Constant)]
    return " ".join(words)


def _favoured(case: Case, module: Module) -> Iterator[Finding]:
    """An outcome that is raised because of a method's name."""
    places = []
    for node in module.nodes:
        if not isinstance(node, ast.If) or not case.program.lives(module, node):
            continue
        asks = [c.value for c in ast.walk(node.test) if isinstance(c, ast.Constant) and isinstance(c.value, str)]
        if not asks:
            continue
        for statement in node.body:
            target: ast.expr | None = statement.target if isinstance(statement, ast.AugAssign) else None
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
            name = target.id if isinstance(target, ast.Name) else ""
            if target is None or not (is_measure(name) or ADVANTAGE.search(name)):
                continue
            assert isinstance(statement, ast.Assign | ast.AugAssign)
            origin = case.flow.origin(statement.value, module)
            if not origin.is_measured and (origin.telling or any(0 < abs(n) < 1 for n in origin.numbers)):
                places.append(statement)
    if len(places) >= 2 or (places and saves(module) and any(isinstance(p, ast.AugAssign) for p in places)):
        yield Finding(
            pattern="P1",
            verdict="invented",
            weight=0.65,
            message="an outcome is raised or set by the name of the method",
            evidence=tuple(module.at(place) for place in places[:5]),
        )


def _confessed(case: Case, module: Module, found: list[Outcome]) -> Iterator[Finding]:
    """The code says that its results are made up, in its name or in its words."""
    said = []
    for line, text in [*module.comments, *module.strings]:
        match = CONFESSION.search(text)
        if (
            match
            and not ABOUT_DATA.search(match[0])
            and not re.search(
                r"\b(no|not|never|avoid|instead of|without)\W+(\w+\W+){0,2}$", text[: match.start()], re.I
            )
        ):
            said.append(Evidence(file=module.file, line=line, quote=_around(text, match.start())))
    said = list({e.quote: e for e in said}.values())
    named = bool(GENERATOR_FILE.search(module.stem)) and saves(module) and not re.search(r"data|demo$", module.stem)
    if re.match(r"(generate|create|make|produce)_", module.stem) and READS.search(module.text):
        named = False  # a script that makes tables from what it reads
    functions = [
        f
        for name, f in module.functions.items()
        if re.search(
            r"(simulat|mock|fake|synth|generate|create|dummy)\w*_?(result|metric|perf|experiment|accurac|training"
            r"|improve|score|log)",
            name,
        )
        and case.program.lives(module, f.body[0])
    ]
    draws = any(is_random_call(c) for c in module.calls) or _types(module)
    if not draws or not (said or named or functions):
        return
    # where outcomes are measured and none is made up, a name such as synthetic_experiment speaks of the data
    made_up = any(o.is_random or o.is_typed for o in found)
    measures = not made_up and any(o.origin.is_measured for o in found) and bool(LOADS.search(module.text))
    by_name = 0.3 if measures else 0.5
    weight = 1 - (1 - by_name * named) * (1 - min(0.45, 0.15 * len(said))) * (1 - 0.3 * bool(functions))
    evidence = [*said[:4], *(module.at(f) for f in functions[:2])]
    if named:
        evidence.insert(0, Evidence(file=module.file, quote="the file's name"))
    yield Finding(
        pattern="P1",
        verdict="invented",
        weight=weight,
        message="the code says itself that it makes results up",
        evidence=tuple(evidence),
    )


def _types(module: Module) -> bool:
    decimals = {n.value for n in module.nodes if isinstance(n, ast.Constant) and isinstance(n.value, float)}
    return len([n for n in decimals if is_telling(n)]) >= 8


def _around(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return text[start : end if end >= 0 else None].strip()[:200]


ROW = re.compile(r"^\s*\|.*\d\.\d.*\||\d\.\d[^&\n]*&[^&\n]*\d\.\d", re.M)


def _rows(case: Case) -> Iterator[Finding]:
    """Table rows with their numbers as text in a script."""
    for module in case.program.modules:
        if module.is_test:
            continue
        docstrings = {
            id(n.body[0].value)
            for n in module.nodes
            if isinstance(n, ast.Module | ast.FunctionDef | ast.ClassDef) and n.body and isinstance(n.body[0], ast.Expr)
        }
        rows = []
        for node in module.nodes:
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docstrings
                and case.program.lives(module, node)
            ):
                lines = [
                    line
                    for line in node.value.splitlines()
                    if ROW.search(line) and len(re.findall(r"\d\.\d", line)) >= 2
                ]
                rows += [Evidence(file=module.file, line=node.lineno, quote=line.strip()[:200]) for line in lines]
        numbers = {p.value for row in rows for p in numbers_in(row.quote) if p.decimals}
        if len(rows) >= 2:
            yield Finding(
                pattern="P2",
                verdict="invented",
                weight=0.2 if _transcribed(case, module, numbers) else 0.75,
                message=f"{len(rows)} table rows with their numbers are text in a script",
                evidence=tuple(rows[:5]),
            )
