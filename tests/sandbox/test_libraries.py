"""What candidates really use works inside: the libraries find all they need before the doors close."""

from assay.sandbox.client import Sandbox
from assay.sandbox.job import Job
from assay.tasks.payload import encode

PERFORM = """
import numpy as np

def perform(candidate, inputs):
    from sklearn.cluster import KMeans
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.neighbors import NearestNeighbors

    rows = np.random.default_rng(0).random((60, 4))
    groups = KMeans(3, n_init=1, random_state=0).fit_predict(rows)
    near = NearestNeighbors(n_neighbors=2).fit(rows).kneighbors(rows, return_distance=False)
    forest = RandomForestClassifier(5, n_jobs=2, random_state=0).fit(rows, groups)
    return {"near": near, "right": float((forest.predict(rows) == groups).mean())}
"""


def test_estimators_that_look_for_thread_pools_and_start_threads_work() -> None:
    with Sandbox(("numpy", "sklearn.cluster")) as sandbox:
        result = sandbox.run(Job(PERFORM, {}, encode({})))
    assert result.kind == "ok", result.log_tail
    assert result.outputs is not None and result.outputs["right"] > 0.9
