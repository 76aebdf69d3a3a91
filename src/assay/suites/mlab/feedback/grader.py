from assay.tasks.mlab.predictions import Predictions, Table, mean_column_rmse

MARKS = ("cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions")
ESSAYS = Predictions("mlab/feedback", MARKS, mean_column_rmse(*MARKS))
prepare, grade = ESSAYS.prepare, ESSAYS.grade
arrange = Table(ESSAYS, "train.csv", id="text_id", columns=("full_text",)).arrange
