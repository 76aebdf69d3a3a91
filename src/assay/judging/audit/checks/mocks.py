"""P3, P6, P14, P15: a mock stands where a model, a judge or a label should be."""

import ast
import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.code.flow import Kind, is_random_call
from assay.judging.audit.code.source import FunctionNode, Module, called_name, dotted
from assay.judging.audit.code.words import MOCK, words_of
from assay.judging.audit.model import Evidence, Finding

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
MOCK_MODEL = re.compile(
    r"(mock|simulat\w*|fake|dummy)_?\w*(llm|model|verifier|judge|api|client|retriev|embed|gpt|prover|human|annotator)"
    r"|(llm|model|verifier|judge|retriever|gpt|prover|human)_?(mock|simulat)",
    re.I,
)
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
        yield from _mock_classes(case, module)
        yield from _random_labels(case, module)
        yield from _mock_mode(case, module)


def _own_returns(module: Module, function: FunctionNode) -> list[ast.Return]:
    return [
        n
        for n in ast.walk(function)
        if isinstance(n, ast.Return) and n.value is not None and module.function_of(n) is function
    ]


def _class_of(module: Module, node: ast.AST) -> str:
    return next((above.name for above in module.enclosing(node) if isinstance(above, ast.ClassDef)), "")


def _decided_by_chance(case: Case, module: Module) -> Iterator[Finding]:
    """A function that should decide something returns random numbers."""
    for name, function in module.functions.items():
        holder = _class_of(module, function)
        if (
            not DECIDES.search(name)
            or CHANCE.search(f"{name} {holder}")
            or not case.program.lives(module, function.body[0])
        ):
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
    """A random number is held against a preset ability: the metric is the preset."""
    for node in module.nodes:
        if not isinstance(node, ast.Compare) or len(node.comparators) != 1 or not case.program.lives(module, node):
            continue
        sides = [node.left, node.comparators[0]]
        drawn = [s for s in sides if isinstance(s, ast.Call) and is_random_call(s)]
        other = [s for s in sides if s not in drawn]
        if len(drawn) != 1:
            continue
        names = " ".join(
            dotted(n) for n in ast.walk(other[0]) if isinstance(n, ast.Name | ast.Attribute | ast.Subscript)
        )
        keys = " ".join(n.value for n in ast.walk(other[0]) if isinstance(n, ast.Constant) and isinstance(n.value, str))
        preset = case.flow.origin(other[0], module)
        function = module.function_of(node)
        if (
            ABILITY.search(f"{names} {keys}")
            and (not preset.is_measured or not any(isinstance(n, ast.Call) for n in ast.walk(other[0])))
            and not (function and CHANCE.search(function.name))
        ):
            yield Finding(
                pattern="P6",
                verdict="invented",
                weight=0.55 if preset.is_measured else 0.65,
                message="a coin flip against a preset ability decides whether an answer is right",
                evidence=(module.at(node),),
            )


def _mock_classes(case: Case, module: Module) -> Iterator[Finding]:
    """A class that is named a mock or a simulation of a model, and is used."""
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and MOCK_MODEL.search(node.name) and node.name in case.program.called:
            message = f"`{node.name}` stands in for a model, and no report says so"
            yield Finding(pattern="P6", verdict="invented", weight=0.5, message=message, evidence=(module.at(node),))


def _canned(case: Case, module: Module) -> Iterator[Finding]:
    """A function named for a model answers with typed text and asks no model."""
    for name, function in module.functions.items():
        holder = _class_of(module, function)
        if not MODEL_NAME.search(f"{holder}.{name}") or not case.program.lives(module, function.body[0]):
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
        if returns and len(texts) == len(returns) and _has_prose(case, module, function, texts):
            yield Finding(
                pattern="P15",
                verdict="invented",
                weight=0.6,
                message=f"`{name}` is named for a model, asks none, and answers with typed text",
                evidence=(module.at(function), *(module.at(n) for n in texts[:2])),
            )


def _is_typed_text(case: Case, module: Module, value: ast.expr | None) -> bool:
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


def _has_prose(case: Case, module: Module, function: FunctionNode, returns: list[ast.Return]) -> bool:
    """Whether the function, or what its returns name, holds sentences or answers."""
    names = {n.id for r in returns for n in ast.walk(r) if isinstance(n, ast.Name)}
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


def _mock_mode(case: Case, module: Module) -> Iterator[Finding]:
    """A switch leads to a mock, and it is on by default or was on when the code ran."""
    for node in module.nodes:
        if not isinstance(node, ast.If | ast.IfExp) or not case.program.lives(module, node):
            continue
        body = node.body if isinstance(node.body, list) else [node.body]
        orelse = node.orelse if isinstance(node.orelse, list) else [node.orelse]
        for branch, taken in ((body, True), (orelse, False)):
            mocks = [
                c
                for part in branch
                for c in ast.walk(part)
                if isinstance(c, ast.Call) and MOCK.search(called_name(c).rsplit(".", 1)[-1])
            ]
            mocks = [c for c in mocks if not re.search(r"data|env|noise|user|magicmock", called_name(c), re.I)]
            if mocks and (why := _is_on(case, module, node.test, taken)):
                yield Finding(
                    pattern="P3",
                    verdict="invented",
                    weight=0.65,
                    message=f"a switch leads to `{called_name(mocks[0])}`, and {why[0]}",
                    evidence=(module.at(node), module.at(mocks[0]), *([why[1]] if why[1] else [])),
                )


def _is_on(case: Case, module: Module, test: ast.expr, taken: bool) -> tuple[str, Evidence | None] | None:
    """Why the branch was taken, if that is known."""
    wanted = taken
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, wanted = test.operand, not wanted
    name = dotted(test).rsplit(".", 1)[-1]
    if not name:
        return None
    flag = "--" + name.replace("_", "-")
    for command in [
        *case.commands,
        *(line for f in case.inventory.of("shell") for line in f.text.splitlines() if not line.startswith("#")),
    ]:
        if re.search(rf"{re.escape(flag)}\b|--{re.escape(name)}\b", command):
            return (
                ("the command that ran asks for it", Evidence(file="commands", quote=command[:200])) if wanted else None
            )
    default = _default(case, module, name)
    if default is not None and default[0] is wanted:
        return "that is the default", default[1]
    return None


def _default(case: Case, module: Module, name: str) -> tuple[bool, Evidence] | None:
    """The value a switch has if nobody sets it, and where that stands."""
    for other in [module, *case.program.modules]:
        for node in other.nodes:
            match node:
                case ast.Assign(targets=[target], value=ast.Constant(value=bool() as value)) if (
                    dotted(target).rsplit(".", 1)[-1].lower() == name.lower()
                ):
                    return value, other.at(node)
                case ast.keyword(arg=arg, value=ast.Constant(value=bool() as value)) if arg == name:
                    return value, other.at(node.value)
                case ast.Call() if called_name(node).endswith("add_argument") and _flag_of(node) == name:
                    return _argument_default(node), other.at(node)
    for node in module.functions.values():
        names = [a.arg for a in node.args.args]
        for arg, default in zip(reversed(names), reversed(node.args.defaults), strict=False):
            if arg == name and isinstance(default, ast.Constant) and isinstance(default.value, bool):
                return default.value, module.at(node)
    return None


def _flag_of(call: ast.Call) -> str:
    flags = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return flags[-1].lstrip("-").replace("-", "_") if flags else ""


def _argument_default(call: ast.Call) -> bool:
    given = {k.arg: k.value for k in call.keywords}
    default = given.get("default")
    if isinstance(default, ast.Constant):
        return bool(default.value)
    action = given.get("action")
    return isinstance(action, ast.Constant) and action.value == "store_false"
