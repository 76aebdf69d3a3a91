"""What scikit-learn says about its own estimators: their roles, and which values their arguments take."""

import importlib
import inspect
import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from inspect import getattr_static
from numbers import Integral
from typing import Any, Literal

from assay.proposers.mutations.scales import tidy
from assay.proposers.mutations.site import vocabulary

Role = Literal["classifier", "regressor", "scaler", "projection", "clusterer", "other"]

MODULES = (
    "sklearn.linear_model",
    "sklearn.ensemble",
    "sklearn.svm",
    "sklearn.neighbors",
    "sklearn.neural_network",
    "sklearn.naive_bayes",
    "sklearn.discriminant_analysis",
    "sklearn.tree",
    "sklearn.preprocessing",
    "sklearn.decomposition",
    "sklearn.cluster",
    "sklearn.kernel_approximation",
    "sklearn.semi_supervised",
)
SCALERS = vocabulary(
    "StandardScaler MinMaxScaler MaxAbsScaler RobustScaler QuantileTransformer PowerTransformer Normalizer"
)
PROJECTIONS = vocabulary("PCA KernelPCA FastICA FactorAnalysis TruncatedSVD NMF")
IGNORED = vocabulary(
    "cache_size callback compute_score copy copy_X copy_x copy_Z dtype memory n_jobs positive random_state "
    "return_n_iter store_cov store_covariance tol verbose verbose_interval warm_start"
)
"""Arguments that change cost, format or randomness and not what is learnt."""
PROMISING = vocabulary(
    "C activation alpha bootstrap class_weight criterion degree early_stopping fit_intercept gamma hidden_layer_sizes "
    "kernel l1_ratio l2_regularization learning_rate learning_rate_init loss max_depth max_features max_iter "
    "min_samples_leaf n_components n_estimators n_neighbors penalty shrinkage solver subsample weights whiten"
)
SMALL = 5
"""Up to here a whole number is counted up and down and not multiplied: a degree, a number of neighbours."""
FACTORS = (0.03, 0.1, 0.3, 3.0, 10.0)


@dataclass(frozen=True)
class Argument:
    """One argument of an estimator, with values worth a try, each as Python writes it."""

    name: str
    default: str
    values: tuple[str, ...]

    @property
    def weight(self) -> float:
        return 3.0 if self.name in PROMISING else 1.0


@dataclass(frozen=True)
class Estimator:
    name: str
    module: str
    """Where it is imported from."""
    role: Role
    arguments: dict[str, Argument]
    accepts: frozenset[str]
    """Every argument of its constructor."""
    methods: frozenset[str]
    """Public methods of an instance with default arguments."""
    weighs_rows: bool
    """Whether `fit` takes sample_weight."""


@cache
def estimators() -> dict[str, Estimator]:
    """All known estimators by class name. Imports scikit-learn, so it is called only for code that uses it."""
    found: dict[str, Estimator] = {}
    for module in MODULES:
        library = importlib.import_module(module)
        for name, kind in sorted(vars(library).items()):
            if inspect.isclass(kind) and kind.__module__.startswith(module) and hasattr(kind, "_parameter_constraints"):
                described = _describe(name, module, kind)
                if described is not None:
                    found.setdefault(name, described)
    return found


def alike(estimator: Estimator) -> list[Estimator]:
    """Other estimators for the same role, in a fixed order."""
    if estimator.role == "other":
        return []
    return [e for e in estimators().values() if e.role == estimator.role and e.name != estimator.name]


def _describe(name: str, module: str, kind: type[Any]) -> Estimator | None:
    """None for what is deprecated or cannot be made without arguments, such as an ensemble of given members."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            instance = kind()
            instance._validate_params()
    except (TypeError, ValueError, FutureWarning):
        return None
    parameters = inspect.signature(kind.__init__).parameters
    constraints: dict[str, list[Any]] = kind._parameter_constraints
    arguments = {}
    for argument, parameter in parameters.items():
        if argument in IGNORED or argument not in constraints or not isinstance(constraints[argument], list):
            continue
        values = tuple(dict.fromkeys(_values(constraints[argument], parameter.default)))
        if values:
            arguments[argument] = Argument(argument, repr(parameter.default), values)
    public = [m for m in dir(kind) if not m.startswith("_") and not isinstance(getattr_static(kind, m), property)]
    methods = frozenset(m for m in public if hasattr(instance, m))
    fit = inspect.signature(kind.fit).parameters if hasattr(kind, "fit") else {}
    return Estimator(name, module, _role(name, kind), arguments, frozenset(parameters), methods, "sample_weight" in fit)


def _role(name: str, kind: type[Any]) -> Role:
    from sklearn.base import ClassifierMixin, ClusterMixin, RegressorMixin

    if name.endswith("CV") or name.startswith(("MultiTask", "Radius", "Isotonic", "Dummy")):
        return "other"
    if name in SCALERS:
        return "scaler"
    if name in PROJECTIONS:
        return "projection"
    if issubclass(kind, ClassifierMixin):
        return "classifier"
    if issubclass(kind, RegressorMixin):
        return "regressor"
    return "clusterer" if issubclass(kind, ClusterMixin) else "other"


def _values(constraints: list[Any], default: Any) -> Iterator[str]:
    """Values that the constraints allow, other than the default and what is deprecated."""
    from sklearn.utils._param_validation import Interval, StrOptions

    if isinstance(default, str) and default in ("deprecated", "warn"):
        return
    for constraint in constraints:
        if constraint is None and default is not None:
            yield "None"
        elif constraint in ("boolean", bool) and isinstance(default, bool):
            yield repr(not default)
        elif isinstance(constraint, StrOptions):
            usable = constraint.options - constraint.deprecated - {default, "precomputed", "deprecated", "warn"}
            yield from (repr(option) for option in sorted(usable))
        elif isinstance(constraint, Interval):
            yield from (repr(v) for v in _numbers(constraint, default) if v != default)


def _numbers(interval: Any, default: Any) -> Iterator[float | int]:
    """Numbers inside an interval: multiples of the default, or a spread over the interval if there is none."""
    known = isinstance(default, int | float) and not isinstance(default, bool) and math.isfinite(default)
    whole = interval.type is Integral
    low = -math.inf if interval.left is None else float(interval.left)
    high = math.inf if interval.right is None else float(interval.right)
    if known and whole and 0 < default <= SMALL:
        raw = [1.0, 2.0, 3.0, default + 1.0, 2.0 * default, 3.0 * default]
    elif known and default:
        raw = [float(default) * factor for factor in FACTORS]
    elif whole:
        raw = [2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]
    elif high <= 1:
        raw = [0.1, 0.3, 0.5, 0.7, 0.9]
    else:
        raw = [0.001, 0.01, 0.1, 1.0, 10.0]
    for value in raw:
        number = round(value) if whole else tidy(value)
        if low < number < high:
            yield number
