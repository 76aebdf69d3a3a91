"""A researcher without a model. It claims nothing that its experiment did not write down."""

from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from assay.errors import AssayError
from assay.research.data import DATA, data_file
from assay.research.literature.citations import with_references
from assay.research.plain.design import SEEDS, TRAIN_ROWS, choose
from assay.research.plain.findings import FIGURE, RUNS, SUMMARY, read_findings
from assay.research.stages import Desk, Draft

SCRIPT = "code/experiment.py"
PAPERS = 6


class PlainResearcher:
    """Takes a question of the brief, compares methods in the sandbox, and reports what came out, whatever it is."""

    def idea(self, desk: Desk) -> Draft:
        return Draft(text=_render("idea.md", desk))

    def literature(self, desk: Desk) -> Draft:
        study = choose(desk.brief, desk.seed)
        query = " ".join([study.question.text, study.factor.label, *(method.label for method in study.methods)])
        papers = desk.library.search(query, PAPERS)
        text = _render("related_work.md", desk, papers=papers, library=desk.library.name)
        return Draft(text=with_references(text, papers)[0], papers=papers)

    def proposal(self, desk: Desk) -> Draft:
        text, _ = with_references(_render("proposal.md", desk, papers=desk.papers()), desk.papers())
        return Draft(text=text)

    def experiments(self, desk: Desk) -> Draft:
        """Raises AssayError with the end of the log if the experiment fails: there is nothing to report then."""
        desk.bench.write_code({SCRIPT: _render("experiment.py", desk)})
        ran = desk.bench.run([SCRIPT])
        if ran.exit_code != 0:
            raise AssayError(f"the experiment failed:\n{ran.output[-2000:]}", f"see {desk.paths.log}")
        return Draft(text=_render("results.md", desk, findings=read_findings(desk.paths.root), ran=ran))

    def paper(self, desk: Desk) -> Draft:
        findings = read_findings(desk.paths.root)
        text = _render("paper.md", desk, findings=findings, papers=desk.papers())
        return Draft(text=with_references(text, desk.papers())[0])


def _render(name: str, desk: Desk, **more: Any) -> str:
    study = choose(desk.brief, desk.seed)
    return (
        _templates()
        .get_template(f"{name}.j2")
        .render(
            brief=desk.brief,
            study=study,
            question=study.question,
            data=DATA[study.question.data],
            data_file=data_file(study.question.data),
            seeds=SEEDS,
            train_rows=TRAIN_ROWS,
            files={"summary": SUMMARY, "runs": RUNS, "figure": FIGURE},
            **more,
        )
    )


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown and Python, from briefs that come with this package or from the user's own folder
    )
    environment.filters["three"] = lambda value: f"{value:.3f}"
    environment.filters["signed"] = lambda value: f"{value:+.3f}"
    environment.filters["level"] = lambda value: f"{value:g}"
    return environment
