import numpy as np

from assay.tasks.grader import InvalidOutput
from assay.tasks.installed import Arrangement
from assay.tasks.mlab.predictions import SUBMISSION, Predictions, mean, numbers
from assay.tasks.mlab.splits import divide, read_rows, write_rows

SCORES = ("updrs_1", "updrs_2", "updrs_3", "updrs_4")
HORIZONS = (0, 6, 12, 24)
ASKED = ("id", "visit_id", "patient_id", "visit_month", "updrs", "horizon")
VISIT = ("visit_id", "patient_id", "visit_month")


def smape(truth, told):
    known = np.array([text != "" for text in truth["rating"]])
    t = numbers({"rating": [text or "0" for text in truth["rating"]]}, "rating")[known]
    p = numbers(told, "rating")
    if (p < 0).any():
        raise InvalidOutput(f"{SUBMISSION}: a rating is negative")
    return mean("smape", 100 * np.abs(p[known] - t) / ((p[known] + t) / 2 + 1))


RATINGS = Predictions("mlab/amp-parkinsons-disease-progression-prediction", ("rating",), smape)
prepare, grade = RATINGS.prepare, RATINGS.grade


def arrange(originals):
    clinical = read_rows(originals / "train_clinical_data.csv", (*VISIT, *SCORES))
    measured = {
        name: read_rows(originals / f"train_{name}.csv", VISIT) for name in ("proteins", "peptides")
    }
    supplement = read_rows(originals / "supplemental_clinical_data.csv", (*VISIT, *SCORES))
    # a patient is one group: whole people are held out, and many of them
    parts = divide(sorted({row["patient_id"] for row in clinical}))

    def of(rows, patients):
        wanted = set(patients)
        return [row for row in rows if row["patient_id"] in wanted]

    def held(patients):
        # every visit with proteins is asked for every score and horizon, so that a question does not tell that there
        # was a later visit; answers that do not exist are empty
        truth = {(row["patient_id"], int(row["visit_month"])): row for row in of(clinical, patients)}
        visits = {row["visit_id"]: row for row in of(measured["proteins"], patients)}
        rows = []
        for visit in visits.values():
            for score in SCORES:
                for horizon in HORIZONS:
                    later = truth.get((visit["patient_id"], int(visit["visit_month"]) + horizon), {})
                    question = {"updrs": score[-1], "horizon": str(horizon), "rating": later.get(score, "")}
                    name = f"{visit['visit_id']}_{score}_plus_{horizon}_months"
                    rows.append({**{key: visit[key] for key in VISIT}, **question, "id": name})
        inputs = {"test.csv": write_rows(rows, ASKED)}
        for name, table in measured.items():
            inputs[f"test_{name}.csv"] = write_rows(of(table, patients), tuple(table[0]))
        return RATINGS.held(inputs, rows)

    given = {"train_clinical_data.csv": write_rows(of(clinical, parts.train), tuple(clinical[0]))}
    given["supplemental_clinical_data.csv"] = write_rows(supplement, tuple(supplement[0]))
    for name, table in measured.items():
        given[f"train_{name}.csv"] = write_rows(of(table, parts.train), tuple(table[0]))
    return Arrangement(given, held(parts.val), held(parts.test))
