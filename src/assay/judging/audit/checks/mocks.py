"""P6, P14, P15: chance or typed text stands where a model, a judge or a label should be."""

import ast
import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.checks.switches import is_made
from assay.judging.audit.code.flow import Kind, is_random_call
from assay.judging.audit.code.source import FunctionNode, Module, called_name, dotted
from assay.judging.audit.code.words import MOCK, words_of
from assay.judging.audit.model import Finding

DECIDES = re.compile(
    r"(predict|verif|evaluat|classif|judge|embed|encode|similarity|detect|assess|rate_|score|grade|answer"
    r"|infer(?!red)|check_|forward|correct|retriev|rank)",
    re.I,
)
CHANCE = re.compile(
    r"(random|noise|sample|shuffle|augment|explor|init|perturb|negative|baseline_random|dropout|mask|bootstrap"
    r"|permut|split|batch|jitter|corrupt|data|env|simulat_user)",
    re.I,
)
"""Names under which random numbers are the honest thing."""
ABILITY = re.compile(
    r"(accuracy|acc$|acc_|success|quality|skill|competen|reliab|correct|capab|detection|precision|recall"
    r"|performance|pass_rate|win_rate|error_rate|trust|faithful|hallucinat)",
    re.I,
)
MODEL_CALL = re.compile(
    r"(openai|anthropic|client\.|\.generate\(|from_pretrained|completions?\.|requests\.post|pipeline\(|\.chat\("
    r"|litellm|ollama|vllm|genai|subprocess|urlopen|httpx|\.invoke\(|cohere|bedrock)"
)
MODEL_NAME = re.compile(
    r"(gpt|claude|llama|mistral|gemini|qwen|llm|chatbot|language_model|call_model|query_model|call_api|ask_model"
    r"|completion|generate_(?:response|answer|text|code|explanation|summary)|model_(?:response|answer|output)"
    r"|run_model|get_response)",
    re.I,
)
RIGHT = {"gold", "truth", "correct", "label", "expected", "target", "answer", "solution", "reference", "gt"}
"""Words for what is right."""
PEOPLE_FIELDS = {
    "gender",
    "sex",
    "race",
    "ethnicity",
    "age",
    "demographic",
    "demographics",
    "protected",
    "sensitive",
    "nationality",
    "income",
    "religion",
    "disability",
}
LABEL_FIELDS = {"label", "labels", "ground", "truth", "gold", "annotation", "annotations", "target", "targets", "y"}


def check(case: Case) -> Iterator[Finding]:
    for module in case.program.modules:
        if module.is_test:
            continue
        yield from _decided_by_chance(case, module)
        yield from _coin_flips(case, module)
        yield from _canned(case, module)
        yield from _random_labels(case, module)


def _own_returns(module: Module, function: FunctionNode) -> list[ast.Return]:
    return [
        n
        for n in ast.walk(function)
        if isinstance(n, ast.Return) and n.value is not None and module.function_of(n) is function
    ]


def _class_of(module: Module, node: ast.AST) -> str:
    return next((above.name for above in module.enclosing(node) if isinstance(above, ast.ClassDef)), "")


def _runs(case: Case, module: Module, node: ast.AST) -> bool:
    """Whether a node can have run: not in dead code, and not in a class that only a switch makes that was off."""
    holder = _class_of(module, node)
    return case.program.lives(module, node) and (not holder or is_made(case, holder))


def _decided_by_chance(case: Case, module: Module) -> Iterator[Finding]:
    """A function that should decide something returns random numbers."""
    for name, function in module.functions.items():
        holder = _class_of(module, function)
        if not DECIDES.search(name) or CHANCE.search(f"{name} {holder}") or not _runs(case, module, function.body[0]):
            continue
        for node in _own_returns(module, function):
            origin = case.flow.origin(node.value, module)
            if origin.is_random and not _handles_error(module, node) and not _is_selection(node.value):
                yield Finding(
                    pattern="P6",
                    verdict="invented",
                    weight=0.6,
                    message=f"`{name}` decides by chance: what it returns depends on random numbers and not on "
                    f"what it is given",
                    evidence=(module.at(function), module.at(node)),
                )
                break


def _is_selection(value: ast.expr | None) -> bool:
    """Picking something at random, as a policy does, is not a measurement that is made up."""
    return (
        isinstance(value, ast.Call)
        and is_random_call(value)
        and called_name(value).rsplit(".", 1)[-1] in ("sample", "choices", "randint", "integers")
    )


def _handles_error(module: Module, node: ast.AST) -> bool:
    return any(isinstance(above, ast.ExceptHandler) for above in module.enclosing(node))


def _coin_flips(case: Case, module: Module) -> Iterator[Finding]:
    """A random number is held against a preset ability, or chooses between the right answer and another: the metric
    is the preset."""
    for node in module.nodes:
        odds = _odds(node)
        if odds is None or not _runs(case, module, node):
            continue
        names = " ".join(dotted(n) for n in ast.walk(odds) if isinstance(n, ast.Name | ast.Attribute | ast.Subscript))
        keys = " ".join(n.value for n in ast.walk(odds) if isinstance(n, ast.Constant) and isinstance(n.value, str))
        preset = case.flow.origin(odds, module)
        function = module.function_of(node)
        computed = preset.is_measured and any(isinstance(n, ast.Call) for n in ast.walk(odds))
        able = bool(ABILITY.search(f"{names} {keys}"))
        if computed or not (able or _chooses_truth(module, node)) or (function and CHANCE.search(function.name)):
            continue
        yield Finding(
            pattern="P6",
            verdict="invented",
            weight=0.55 if preset.is_measured else 0.65,
            message="a coin flip against a preset ability decides whether an answer is right",
            evidence=(module.at(node),),
        )


def _odds(node: ast.AST) -> ast.expr | None:
    """What a random number is held against, or the chance of a draw from two; None if the node is no coin flip."""
    match node:
        case ast.Compare(left=left, comparators=[right]):
            drawn = [s for s in (left, right) if isinstance(s, ast.Call) and is_random_call(s)]
            return (right if drawn[0] is left else left) if len(drawn) == 1 else None
        case ast.Call() if is_random_call(node):
            last = called_name(node).rsplit(".", 1)[-1]
            if last == "binomial" and len(node.args) >= 2 and getattr(node.args[0], "value", None) == 1:
                return node.args[1]
            return node.args[0] if last == "bernoulli" and node.args else None
    return None


def _chooses_truth(module: Module, flip: ast.AST) -> bool:
    """Whether a coin, or the name that is given its side, decides between what is right and something else."""
    names = {flip}
    above = module.parents.get(flip)
    scope = module.function_of(flip) or module.tree
    if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
        side = above.targets[0].id
        names |= {n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == side}
    for node in ast.walk(scope):
        if not isinstance(node, ast.IfExp | ast.If) or not names & set(ast.walk(node.test)):
            continue
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [*node.body, *node.orelse]
        values = [v for part in parts for v in _values_of(part)]
        if any(RIGHT & set(words_of(_last_name(value))) for value in values):
            return True
    return False


def _values_of(part: ast.AST) -> list[ast.AST]:
    """What a branch hands on: itself, what it returns, what it assigns."""
    if isinstance(part, ast.Return | ast.Assign):
        return [part.value] if part.value is not None else []
    return [part] if isinstance(part, ast.expr) else []


def _last_name(value: ast.AST) -> str:
    """`x["gold"]`, `x.gold` and `gold` are all called gold."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
        return str(value.slice.value)
    return dotted(value).rsplit(".", 1)[-1]


def _canned(case: Case, module: Module) -> Iterator[Finding]:
    """A function named for a model answers with typed text and asks no model."""
    for name, function in module.functions.items():
        holder = _class_of(module, function)
        if not MODEL_NAME.search(f"{holder}.{name}") or not _runs(case, module, function.body[0]):
            continue
        source = ast.get_source_segment(module.text, function) or ""
        if (
            MODEL_CALL.search(source)
            or MOCK.search(name)
            or name.startswith(("parse", "format", "build", "load", "save", "get_model", "extract", "count"))
        ):
            continue
        returns = _own_returns(module, function)
        texts = [n for n in returns if _is_typed_text(case, module, n.value)]
        if returns and len(texts) == len(returns) and _has_prose(module, function):
            yield Finding(
                pattern="P15",
                verdict="invented",
                weight=0.6,
                message=f"`{name}` is named for a model, asks none, and answers with typed text",
                evidence=(module.at(function), *(module.at(n) for n in texts[:2])),
            )


def _is_typed_text(case: Case, module: Module, value: ast.expr | None) -> bool:
    match value:
        case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get")):
            # whatever it is looked up by, the answer was typed
            value = table
    origin = case.flow.origin(value, module)
    if isinstance(value, ast.JoinedStr):
        return (
            len("".join(p.value for p in value.values if isinstance(p, ast.Constant) and isinstance(p.value, str))) > 20
        )
    return not origin.is_measured or (
        isinstance(value, ast.Call)
        and is_random_call(value)
        and bool(value.args)
        and not case.flow.origin(value.args[0], module).is_measured
    )


def _has_prose(module: Module, function: FunctionNode) -> bool:
    """Whether the function, or what it names, holds sentences or answers."""
    names = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    inside = list(ast.walk(function))[1:]
    outside = [
        n
        for n in module.tree.body
        if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id in names for t in n.targets)
    ]
    doc = ast.get_docstring(function, clean=False)
    strings = [
        n.value
        for n in [*inside, *(m for o in outside for m in ast.walk(o))]
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value != doc
    ]
    return sum(len(s.split()) >= 3 for s in strings) >= 1 or len([s for s in strings if s.strip()]) >= 4


def _random_labels(case: Case, module: Module) -> Iterator[Finding]:
    """Attributes of people, or labels, drawn at random and added to data that was loaded."""
    for node in module.nodes:
        if not isinstance(node, ast.Assign) or not case.program.lives(module, node):
            continue
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                name, holder = str(target.slice.value), target.value
            elif isinstance(target, ast.Name):
                name, holder = target.id, None
            else:
                continue
            words = set(words_of(name))
            personal = bool(words & PEOPLE_FIELDS)
            if not personal and not (words & LABEL_FIELDS and holder is not None):
                continue
            draws = [c for c in ast.walk(node.value) if isinstance(c, ast.Call) and is_random_call(c)]
            loaded = (
                holder is not None
                and bool(case.flow.origin(holder, module).kinds & Kind.MEASURED)
                and _is_loaded(module, holder)
            )
            function = module.function_of(node)
            made = bool(
                function
                and re.search(r"(synth|toy|make_|generate|simulat|dummy|shuffle|permut|corrupt|noise)", function.name)
            )
            if draws and (loaded or (personal and not made and _loads_data(module))):
                yield Finding(
                    pattern="P14",
                    verdict="invented",
                    weight=0.6 if personal else 0.5,
                    message=f"`{name}` is drawn at random and laid beside data that was loaded",
                    evidence=(module.at(node),),
                )


def _is_loaded(module: Module, holder: ast.expr) -> bool:
    """Whether the thing is filled from outside: a file, a data set."""
    name = dotted(holder)
    for node in module.nodes:
        if isinstance(node, ast.Assign) and any(dotted(t) == name for t in node.targets):
            calls = [called_name(c) for c in ast.walk(node.value) if isinstance(c, ast.Call)]
            if any(re.search(r"(read_|load|fetch)", c) for c in calls):
                return True
    return False


def _loads_data(module: Module) -> bool:
    return any(
        re.search(r"(read_csv|read_json|read_parquet|load_dataset|fetch_|load_data$|json\.load$)", called_name(c))
        for c in module.calls
    )
