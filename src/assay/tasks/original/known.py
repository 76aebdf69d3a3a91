"""What the folders of MLAgentBench's own tasks do not say of themselves: the metric that `get_score` returns."""

from assay.tasks.spec import Metric


def _up(name: str) -> Metric:
    return Metric(name=name, direction="max", best=1.0)


def _down(name: str, best: float = 0.0) -> Metric:
    return Metric(name=name, direction="min", best=best)


KNOWN = {
    "cifar10": _up("accuracy"),
    "imdb": _up("accuracy"),
    "ogbn-arxiv": _up("accuracy"),
    "house-price": _down("mean_absolute_error"),
    "spaceship-titanic": _up("accuracy"),
    "amp-parkinsons-disease-progression-prediction": _down("smape"),
    "fathomnet": _up("score"),
    "feedback": _down("mean_column_rmse"),
    "identify-contrails": _up("mean_dice"),
    "CLRS": _up("pointer_accuracy"),
    "babylm": _down("perplexity", best=1.0),
    "llama-inference": _down("seconds"),
    "vectorization": _down("seconds"),
}
"""Folder → metric. Baselines are not here: they are measured, at the start of every run."""
