"""Where a value in code comes from: typed numbers, random numbers, or something that was measured.

The analysis is flow-insensitive and leans to `measured`: whatever it cannot see through counts as a measurement, so a
value is called typed or random only if every way to it is.
"""

import ast
import re
from dataclasses import dataclass, field
from enum import IntFlag

from assay.judging.audit.code.bindings import bindings
from assay.judging.audit.code.source import FunctionNode, Module, Program, called_name, dotted
from assay.judging.audit.code.words import is_measure, vocabulary

DEPTH = 40

PURE = vocabulary(
    """
    round min max abs float int str list dict tuple set sorted reversed range zip enumerate len sum clip exp log
    log1p log2 expm1 ceil floor log10 sqrt sin cos tanh power linspace arange logspace array asarray mean std
    median average tolist copy
    deepcopy items keys values get full ones zeros maximum minimum cumsum DataFrame Series format concatenate
    reshape astype item repeat tile join upper lower strip replace title defaultdict OrderedDict isoformat
    full_like ones_like zeros_like sort flip percentile cumprod diff append extend tensor from_numpy numpy detach
    cpu fillna round_ setdefault clamp square pow hstack vstack normalize softmax sigmoid relu norm unsqueeze squeeze
    view flatten transpose stack cat tqdm trange track product chain
    """
)
"""Functions that only pass values on."""
LIBRARIES = ("np", "numpy", "math", "pd", "torch", "copy", "F", "nn", "jnp", "tf")
"""Names before a point that are no values themselves."""
CONFIGURES = re.compile(r"(^|\.)(yaml|OmegaConf|toml|tomllib)\.(safe_load|full_load|load|loads)$")
"""Reads what somebody set, which is typed like a number in code."""
RANDOM = vocabulary(
    """
    normal uniform rand randn randint random choice gauss beta gamma binomial poisson exponential laplace
    lognormal random_sample standard_normal dirichlet integers triangular betavariate choices sample rand_like
    randn_like normalvariate truncnorm rvs multivariate_normal bernoulli randrange
    """
)
SHAPED = vocabulary("rand randn random random_sample standard_normal rand_like randn_like")
"""Draw from a fixed distribution; what they are given is a shape."""
RANDOM_BASES = ("random", "rng", "rs", "generator", "torch", "np", "numpy", "stats", "norm", "randomstate")


class Kind(IntFlag):
    NONE = 0
    LITERAL = 1
    RANDOM = 2
    MEASURED = 4
    CYCLE = 8
    CONFIGURED = 16


@dataclass(frozen=True, slots=True)
class Origin:
    """What a value is made of."""

    kinds: Kind = Kind.NONE
    numbers: frozenset[float] = frozenset()

    def __or__(self, other: "Origin") -> "Origin":
        numbers = self.numbers if len(self.numbers) > 500 else self.numbers | other.numbers
        return Origin(self.kinds | other.kinds, numbers)

    @property
    def is_measured(self) -> bool:
        return bool(self.kinds & Kind.MEASURED)

    @property
    def is_random(self) -> bool:
        return bool(self.kinds & Kind.RANDOM) and not self.is_measured

    @property
    def is_centred(self) -> bool:
        """Whether it has typed numbers, in the code or in a configuration, that chance can only vary."""
        return bool(self.telling) or len(self.numbers) > 1 or bool(self.kinds & Kind.CONFIGURED)

    @property
    def telling(self) -> frozenset[float]:
        """Typed numbers that look like outcomes: no counts, no bounds, no round settings."""
        return frozenset(n for n in self.numbers if is_telling(n))


MEASURED = Origin(Kind.MEASURED)


def is_telling(number: float) -> bool:
    """Whether a number has the look of an outcome: at least two digits that are not zero, one behind the point."""
    digits = f"{abs(number):.6g}".replace(".", "").strip("0")
    return number != int(number) and len(digits) >= 2 and "e" not in digits


def is_random_call(call: ast.Call) -> bool:
    """Whether a call draws a random number."""
    base, _, last = called_name(call).rpartition(".")
    if last not in RANDOM:
        return False
    names = [part.lower().lstrip("_") for part in base.split(".")] if base else []
    return any(part.endswith(RANDOM_BASES) for part in names) or (not base and last in ("randint", "uniform", "gauss"))


@dataclass(frozen=True, slots=True)
class Given:
    """One way in which a name gets a value."""

    value: ast.expr
    grows: bool
    """Whether it is added to what was there, rather than replacing it."""
    guards: tuple[ast.expr, ...]
    """The conditions it stands under."""


Scope = FunctionNode | ast.Module


@dataclass
class Flow:
    """Origins of the expressions of a program. Results are remembered."""

    program: Program
    _given: dict[ast.AST, dict[str, list[Given]]] = field(default_factory=dict)
    _known: dict[tuple[ast.AST, str], Origin] = field(default_factory=dict)
    _open: set[tuple[ast.AST, str]] = field(default_factory=set)
    _sites: dict[str, list[tuple[Module, ast.Call]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for module in self.program.modules:
            for call in module.calls:
                self._sites.setdefault(called_name(call).rsplit(".", 1)[-1], []).append((module, call))

    def origin(self, node: ast.expr | None, module: Module, depth: int = 0) -> Origin:
        """What an expression is made of."""
        if node is None or depth > DEPTH:
            return MEASURED
        scope = module.function_of(node) or module.tree
        return self._expression(node, module, scope, depth)

    def _expression(self, node: ast.expr, module: Module, scope: Scope, depth: int) -> Origin:
        if depth > DEPTH:
            return MEASURED

        def of(*parts: ast.expr | None) -> Origin:
            total = Origin()
            for part in parts:
                if part is not None and not total.is_measured:
                    total |= self._expression(part, module, scope, depth + 1)
            return total

        match node:
            case ast.Constant(value=bool() | str() | None):
                return Origin(Kind.LITERAL)
            case ast.Constant(value=int() | float() as value):
                return Origin(Kind.LITERAL, frozenset([float(value)]))
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return of(*parts) | Origin(Kind.LITERAL)
            case ast.Dict(values=values):
                return of(*values) | Origin(Kind.LITERAL)
            case ast.BinOp(left=left, op=op, right=right):
                return MEASURED if isinstance(op, ast.MatMult) else of(left, right)
            case ast.UnaryOp(operand=operand):
                return of(operand)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return of(body, orelse) | self._guard(test, module, scope, depth)
            case ast.JoinedStr(values=values):
                return of(*values)
            case ast.FormattedValue(value=value) | ast.Starred(value=value) | ast.NamedExpr(value=value):
                return of(value)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return of(node.elt)
            case ast.DictComp(value=value):
                return of(value)
            case ast.Subscript(value=value, slice=index):
                chosen = of(index) if not isinstance(index, ast.Slice) else Origin()
                return of(value) | Origin(chosen.kinds & (Kind.MEASURED | Kind.RANDOM))
            case ast.Call():
                return self._call(node, module, scope, depth)
            case ast.Name(id=name):
                return self._name(name, module, scope, depth)
            case ast.Attribute():
                return self._attribute(node, module, depth)
        return MEASURED

    def _call(self, call: ast.Call, module: Module, scope: Scope, depth: int) -> Origin:
        base, _, last = called_name(call).rpartition(".")
        arguments = [*call.args, *(k.value for k in call.keywords)]
        if is_random_call(call):
            total = Origin(Kind.RANDOM)
            # how many are drawn says nothing of what is drawn
            shapes = {id(k.value) for k in call.keywords if k.arg in ("size", "shape", "device", "dtype")}
            for argument in arguments if last not in SHAPED else ():
                if id(argument) not in shapes:
                    total |= self._expression(argument, module, scope, depth + 1)
            return total
        if CONFIGURES.search(called_name(call)):
            return Origin(Kind.LITERAL | Kind.CONFIGURED)
        local = self.program.functions.get(last, [])
        if len(local) == 1 and base.split(".")[0] not in ("np", "numpy", "pd", "torch", "random", "math"):
            return self._returns(*local[0], depth)
        if isinstance(call.func, ast.Name) and (body := self._lambda(call.func.id, module, scope)) is not None:
            return self._expression(body, module, scope, depth + 1)
        if last in PURE:
            total = Origin(Kind.LITERAL)
            if isinstance(call.func, ast.Attribute) and not _is_library(call.func.value):
                total |= self._expression(call.func.value, module, scope, depth + 1)
            for argument in arguments:
                total |= self._expression(argument, module, scope, depth + 1)
            return total
        return MEASURED

    def _lambda(self, name: str, module: Module, scope: Scope) -> ast.expr | None:
        """The body of a lambda that a name stands for."""
        given = self._gives(module, scope).get(name) or self._gives(module, module.tree).get(name) or []
        return given[0].value.body if len(given) == 1 and isinstance(given[0].value, ast.Lambda) else None

    def _returns(self, module: Module, function: FunctionNode, depth: int) -> Origin:
        key = (function, "return")
        if key in self._known:
            return self._known[key]
        if key in self._open:
            # a function that calls itself computes; one that is met again through a caller's loop does not
            recursive = any(isinstance(n, ast.Call) and called_name(n) == function.name for n in ast.walk(function))
            return MEASURED if recursive else Origin(Kind.CYCLE)
        self._open.add(key)
        total = Origin()
        returned = [n for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
        for node in returned:
            if total.is_measured or module.function_of(node) is not function:
                continue
            assert node.value is not None
            total |= self._expression(node.value, module, function, depth + 1)
            for guard in _guards(node, module, function):
                total |= self._guard(guard, module, function, depth + 1)
        self._open.discard(key)
        self._known[key] = total if returned else MEASURED
        return self._known[key]

    def _name(self, name: str, module: Module, scope: Scope, depth: int) -> Origin:
        home: Scope = scope if name in self._gives(module, scope) or self._is_parameter(name, scope) else module.tree
        return self._resolve(name, module, home, depth)

    def _attribute(self, node: ast.Attribute, module: Module, depth: int) -> Origin:
        name = dotted(node)
        if name in ("np.pi", "math.pi", "np.nan", "np.inf", "math.e"):
            return Origin(Kind.LITERAL)
        return self._resolve(name, module, module.tree, depth) if name.startswith("self.") else MEASURED

    def _resolve(self, name: str, module: Module, home: Scope, depth: int) -> Origin:
        key = (home, name)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            return Origin(Kind.CYCLE)
        self._open.add(key)
        total = Origin()
        given = self._gives(module, home).get(name, [])
        for way in given:
            found = self.origin(way.value, module, depth + 1)
            for guard in way.guards:
                found |= self._guard(guard, module, module.function_of(guard) or module.tree, depth + 1)
            # a state that is computed from itself is a simulation that runs; a measure that only drifts is not
            if found.kinds & Kind.CYCLE and not way.grows and not is_measure(name):
                found = MEASURED
            total |= found
            if total.is_measured:
                break
        if isinstance(home, ast.FunctionDef | ast.AsyncFunctionDef) and self._is_parameter(name, home):
            total |= self._parameter(name, module, home, depth)
        elif not given:
            total = MEASURED
        self._open.discard(key)
        total = Origin(total.kinds & ~Kind.CYCLE, total.numbers)
        self._known[key] = total
        return total

    @staticmethod
    def _is_parameter(name: str, scope: Scope) -> bool:
        if isinstance(scope, ast.Module):
            return False
        arguments = scope.args
        return any(a.arg == name for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])

    def _parameter(self, name: str, module: Module, function: FunctionNode, depth: int) -> Origin:
        """What callers pass; the default if no caller is seen."""
        passed = self._passed(name, module, function)
        if passed:
            total = Origin()
            for value, where in passed:
                total |= self.origin(value, where, depth + 1)
            return total
        defaults = dict(zip(reversed(_positional(function)), reversed(function.args.defaults), strict=False))
        return self.origin(defaults[name], module, depth + 1) if name in defaults else MEASURED

    def _passed(self, name: str, module: Module, function: FunctionNode) -> list[tuple[ast.expr, Module]]:
        """What live callers pass for a parameter, and where they stand."""
        names = _positional(function)
        above = module.parents.get(function)
        called = above.name if function.name == "__init__" and isinstance(above, ast.ClassDef) else function.name
        live = [(where, call) for where, call in self._sites.get(called, []) if self.program.lives(where, call)]
        out = []
        for where, call in live[:20]:
            position = names.index(name) if name in names else len(call.args)
            passed = next((k.value for k in call.keywords if k.arg == name), None)
            if passed is None and position < len(call.args):
                passed = call.args[position]
            if passed is not None:
                out.append((passed, where))
        return out

    def ways(self, node: ast.Name, module: Module) -> list[tuple[ast.expr, Module]]:
        """The expressions that a name may stand for, and where they stand: what it is given and what callers pass."""
        scope: Scope = module.function_of(node) or module.tree
        out = [(way.value, module) for way in self._gives(module, scope).get(node.id, [])]
        if not isinstance(scope, ast.Module) and self._is_parameter(node.id, scope):
            out += self._passed(node.id, module, scope)
        return out

    def _guard(self, test: ast.expr, module: Module, scope: Scope, depth: int) -> Origin:
        """A condition on measured things makes what it decides measured; one on names or counters does not."""
        total = Origin()
        for part in ast.walk(test):
            if isinstance(part, ast.Compare):
                for operand in [part.left, *part.comparators]:
                    total |= self._expression(operand, module, scope, depth + 1)
        return Origin(total.kinds & (Kind.MEASURED | Kind.RANDOM)) if not _names_method(test) else Origin()

    def _gives(self, module: Module, scope: Scope) -> dict[str, list[Given]]:
        if scope not in self._given:
            self._collect(module)
        return self._given.get(scope, {})

    def _collect(self, module: Module) -> None:
        """Every way in which every name of a module gets a value, by scope."""
        self._given[module.tree] = {}
        for function in module.functions.values():
            self._given.setdefault(function, {})
        for node in module.nodes:
            scope: Scope = module.function_of(node) or module.tree
            for name, value, grows in bindings(node):
                home = module.tree if name.startswith("self.") else scope
                given = Given(value, grows, tuple(_guards(node, module, scope)))
                self._given.setdefault(home, {}).setdefault(name, []).append(given)


def _positional(function: FunctionNode) -> list[str]:
    return [a.arg for a in [*function.args.posonlyargs, *function.args.args] if a.arg not in ("self", "cls")]


def _is_library(node: ast.expr) -> bool:
    """Whether what stands before the point is a module and no value: `np`, `torch.nn`, but not `torch.rand(1)`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in LIBRARIES


def _names_method(test: ast.expr) -> bool:
    """Whether a condition only asks for a name: `method == "ours"`, `"ours" in name`."""
    strings = [n for n in ast.walk(test) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return bool(strings) and not any(isinstance(n, ast.Call) for n in ast.walk(test))


def _guards(node: ast.AST, module: Module, scope: Scope) -> list[ast.expr]:
    out = []
    for above in module.enclosing(node):
        if above is scope:
            break
        if isinstance(above, ast.If | ast.While):
            out.append(above.test)
    return out
