"""What the plain researcher knows how to do: vary one thing, compare a few methods, repeat over seeds."""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.base import Frozen
from assay.errors import UsageError
from assay.research.briefs import Brief, Question

SEEDS = 5
TRAIN_ROWS = 400
"""Training sets have at most this many rows, so that a study takes seconds."""


@dataclass(frozen=True)
class Factor:
    """Something that can be varied."""

    label: str
    """What an axis says."""
    how: str
    """How it is done, in a sentence for the proposal and the paper."""
    code: str
    """The body of `vary(x, y, test_x, level, rng)`; returns training features, training labels, test features."""
    measure: str = "accuracy"


@dataclass(frozen=True)
class Method:
    """A classifier of scikit-learn."""

    label: str
    code: str
    """The expression that makes it; `seed` is in scope."""
    imports: tuple[str, ...]


FACTORS: Mapping[str, Factor] = {
    "label_noise": Factor(
        label="share of training labels that were shuffled",
        how="The labels of a randomly chosen share of the training rows are shuffled among those rows; test labels are "
        "left as they are. A shuffled label can by chance be the right one, so a little less is "
        "wrong than was shuffled.",
        code="""spoiled = rng.permutation(len(y))[: round(level * len(y))]
mixed = y.copy()
mixed[spoiled] = rng.permutation(y[spoiled])
return x, mixed, test_x""",
    ),
    "training_size": Factor(
        label="number of training examples",
        how="Of the training rows a random part of the given size is used, with at least two rows of every class.",
        code="""order = rng.permutation(len(y))
first = [row for kind in np.unique(y) for row in order[y[order] == kind][:2]]
rest = [row for row in order if row not in set(first)]
kept = np.array([*first, *rest])[: max(int(level), len(first))]
return x[kept], y[kept], test_x""",
    ),
    "test_noise": Factor(
        label="noise on test inputs, in standard deviations of each feature",
        how="Normal noise is added to the test inputs alone; its standard deviation is the given multiple of each "
        "feature's standard deviation in training.",
        code="""noise = rng.normal(size=test_x.shape) * x.std(axis=0)
return x, y, test_x + level * noise""",
    ),
    "irrelevant_features": Factor(
        label="number of irrelevant features",
        how="Columns of normal noise are appended to training and test inputs; they say nothing about the class.",
        code="""extra = int(level)
return (
    np.hstack([x, rng.normal(size=(len(x), extra))]),
    y,
    np.hstack([test_x, rng.normal(size=(len(test_x), extra))]),
)""",
    ),
    "rare_class": Factor(
        label="share of the rarer class that is kept in training",
        how="Of the training rows of the rarer class only the given share is kept, but at least three rows; the test "
        "set is left as it is.",
        code="""kinds, counts = np.unique(y, return_counts=True)
rare = rng.permutation(np.flatnonzero(y == kinds[counts.argmin()]))
kept = np.concatenate([np.flatnonzero(y != kinds[counts.argmin()]), rare[: max(3, round(level * len(rare)))]])
return x[kept], y[kept], test_x""",
        measure="balanced accuracy",
    ),
}

_SCALED = ("sklearn.pipeline.make_pipeline", "sklearn.preprocessing.StandardScaler")
_LOGISTIC = (*_SCALED, "sklearn.linear_model.LogisticRegression")
_FOREST = ("sklearn.ensemble.RandomForestClassifier",)

METHODS: Mapping[str, Method] = {
    "logistic": Method(
        "logistic regression", "make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))", _LOGISTIC
    ),
    "logistic_balanced": Method(
        "balanced logistic regression",
        'make_pipeline(StandardScaler(), LogisticRegression(max_iter=500, class_weight="balanced"))',
        _LOGISTIC,
    ),
    "neighbours": Method(
        "nearest neighbours",
        "make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=3))",
        (*_SCALED, "sklearn.neighbors.KNeighborsClassifier"),
    ),
    "kernel": Method("kernel machine", "make_pipeline(StandardScaler(), SVC())", (*_SCALED, "sklearn.svm.SVC")),
    "bayes": Method("naive Bayes", "GaussianNB()", ("sklearn.naive_bayes.GaussianNB",)),
    "tree": Method(
        "single tree", "DecisionTreeClassifier(random_state=seed)", ("sklearn.tree.DecisionTreeClassifier",)
    ),
    "forest": Method("forest", "RandomForestClassifier(n_estimators=60, random_state=seed)", _FOREST),
    "forest_balanced": Method(
        "balanced forest",
        'RandomForestClassifier(n_estimators=60, class_weight="balanced", random_state=seed)',
        _FOREST,
    ),
}


class Study(Frozen):
    """A question with everything it takes to answer it."""

    question: Question

    @property
    def factor(self) -> Factor:
        return FACTORS[self.question.factor]

    @property
    def methods(self) -> tuple[Method, ...]:
        return tuple(METHODS[name] for name in self.question.methods)

    @property
    def score(self) -> str:
        """The function of scikit-learn that measures."""
        return f"sklearn.metrics.{self.factor.measure.replace(' ', '_')}_score"

    @property
    def imports(self) -> list[str]:
        """Import lines of the methods and the score, each once."""
        paths = sorted({self.score, *(path for method in self.methods for path in method.imports)})
        return [f"from {path.rpartition('.')[0]} import {path.rpartition('.')[2]}" for path in paths]


def choose(brief: Brief, seed: int) -> Study:
    """The brief's question for this seed: question 0 for seed 0, and so on round.

    Raises UsageError for a brief without a question that the plain researcher could answer.
    """
    able = [q for q in brief.questions if q.factor in FACTORS and set(q.methods) <= METHODS.keys() and q.methods]
    if not able:
        raise UsageError(
            f"the offline researcher finds no question in '{brief.id}' that it could answer",
            "use a model: --model provider:model; or a brief of the suite mlr-demo",
        )
    return Study(question=able[seed % len(able)])
