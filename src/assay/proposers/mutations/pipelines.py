"""Steps before an estimator: scaling, projection and expansion of its features, and averages of several copies."""

import ast
import random
from collections.abc import Iterator, Sequence

from assay.proposers.mutations.calls import EstimatorCall, estimator_calls, uses_inner_state, without
from assay.proposers.mutations.site import Edit, Site, Trial, place
from assay.proposers.mutations.source import Source, Splice

STEPS: tuple[tuple[str, str, str], ...] = (
    ("sklearn.preprocessing", "StandardScaler", "StandardScaler()"),
    ("sklearn.preprocessing", "MinMaxScaler", "MinMaxScaler()"),
    ("sklearn.preprocessing", "RobustScaler", "RobustScaler()"),
    ("sklearn.preprocessing", "PowerTransformer", "PowerTransformer()"),
    ("sklearn.preprocessing", "QuantileTransformer", "QuantileTransformer(n_quantiles=50)"),
    ("sklearn.preprocessing", "Normalizer", "Normalizer()"),
    ("sklearn.preprocessing", "PolynomialFeatures", "PolynomialFeatures(degree=2, include_bias=False)"),
    ("sklearn.preprocessing", "SplineTransformer", "SplineTransformer(n_knots=5)"),
    ("sklearn.kernel_approximation", "Nystroem", "Nystroem(n_components=200, random_state=0)"),
    ("sklearn.decomposition", "PCA", "PCA(n_components=0.95, whiten=True)"),
)
"""Module, name and call of each step that may be put before an estimator."""


def sites(source: Source) -> Iterator[Site]:
    """Sites around the learners of a source whose inner state nothing else reads."""
    if uses_inner_state(source):
        return
    for call in estimator_calls(source):
        if call.estimator.role in ("classifier", "regressor"):
            yield _preparing(source, call)
            yield _averaging(source, call)
    for node in source.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "make_pipeline" and len(node.args) > 1:
            yield _shortening(source, node)


def _fresh(options: Sequence[tuple[str, str, str]], trials: Sequence[Trial]) -> list[tuple[str, str, str]]:
    return [o for o in options if not any(o[1] in t.change for t in trials)]


def _preparing(source: Source, call: EstimatorCall) -> Site:
    name = place(f"preparation for {call.estimator.name}", source.where(call.node))
    above = source.parent(call.node)
    inside = isinstance(above, ast.Call) and ast.unparse(above.func) == "make_pipeline"

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        options = _fresh([s for s in STEPS if f"{s[1]}(" not in source.segment(above or call.node)], trials)
        if not options:
            return None
        module, step, spelled = rng.choice(options)
        start, end = source.start(call.node), source.end(call.node)
        imports = source.import_splice(module, step)
        if inside:
            return Edit(f"put {step} before it", (Splice(start, start, f"{spelled}, "), *imports))
        around = (Splice(start, end, f"make_pipeline({spelled}, {source.segment(call.node)})"),)
        imports = _merged(imports, source.import_splice("sklearn.pipeline", "make_pipeline"))
        return Edit(f"put {step} before it", around + imports)

    return Site("pipeline", name, f"prepare the features for {call.estimator.name}", make, 2.0)


def _averaging(source: Source, call: EstimatorCall) -> Site:
    kind = "BaggingClassifier" if call.estimator.role == "classifier" else "BaggingRegressor"
    name = place(f"copies of {call.estimator.name}", source.where(call.node))

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        if trials:
            return None
        copies = rng.choice((5, 10))
        spelled = f"{kind}({source.segment(call.node)}, n_estimators={copies}, random_state=0)"
        imports = source.import_splice("sklearn.ensemble", kind)
        return Edit(f"average {copies} of them by {kind}", (source.replace(call.node, spelled), *imports))

    return Site("pipeline", name, f"average several copies of {call.estimator.name}", make, 0.5)


def _shortening(source: Source, node: ast.Call) -> Site:
    name = place("steps of make_pipeline", source.where(node))

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        step = rng.choice(node.args[:-1])
        spelled = " ".join(source.segment(step).split())
        if any(spelled in t.change for t in trials):
            return None
        return Edit(f"remove {spelled}", (without(source, node, step),))

    return Site("pipeline", name, "remove a step of the pipeline", make, 0.5)


def _merged(first: tuple[Splice, ...], second: tuple[Splice, ...]) -> tuple[Splice, ...]:
    """Two imports go in at one place: as one splice, so that their order is fixed."""
    if not first or not second:
        return first + second
    return (Splice(first[0].start, first[0].end, first[0].text + second[0].text),)
