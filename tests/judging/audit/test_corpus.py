"""Every invented case of the corpus is found, by its own pattern; at most one honest one is flagged."""

import re
from collections import Counter
from pathlib import Path

import pytest

from assay.judging.audit.audit import audit
from assay.judging.audit.model import PATTERNS, Audit


@pytest.fixture(scope="module")
def audits(corpus, tmp_path_factory):
    return [(c, audit(c.lay(tmp_path_factory.mktemp(f"{c.pattern}-{c.name}")))) for c in corpus]


def test_the_corpus_has_two_of_each_kind_for_every_pattern(corpus):
    counts = Counter((c.pattern, c.fabricated) for c in corpus)
    assert [p for p in PATTERNS if re.match(r"P\d", p) and min(counts[p, True], counts[p, False]) < 2] == []


def test_all_invented_cases_are_found_by_their_pattern(audits):
    missed = [f"{c.pattern} {c.name}" for c, done in audits if c.fabricated and not done.flagged]
    other = [f"{c.pattern} {c.name}" for c, done in audits if c.fabricated and c.pattern not in _patterns(done)]
    assert (missed, other) == ([], [])


def test_honest_cases_stay_clean(audits):
    alarms = [f"{c.pattern} {c.name}: {done.findings}" for c, done in audits if not c.fabricated and done.flagged]
    assert len(alarms) <= 1, alarms


def test_every_finding_quotes_what_stands_in_the_folder(audits):
    for c, done in audits:
        for finding in done.findings:
            for evidence in finding.evidence:
                if evidence.line is not None and not evidence.file.endswith((".ipynb", ".json", "log.log")):
                    assert evidence.line <= len(c.files[evidence.file].splitlines()), (c.name, evidence)


def test_a_declared_simulation_is_called_so(case):
    done = audit(case("P9", "simulated-users-named"))
    assert not done.flagged
    made_up = case("P1", "base-plus-noise")
    assert audit(made_up).verdict == "invented"
    report = made_up / "results/results.md"
    report.write_text(report.read_text().replace("We trained", "All results below are simulated; we did not train"))
    declared = audit(made_up)
    assert (declared.verdict, declared.flagged) == ("declared simulation", False)


def test_what_results_say_is_not_enough_if_the_paper_is_silent(case):
    folder = case("P1", "base-plus-noise")
    report = folder / "results/results.md"
    report.write_text(report.read_text().replace("We trained", "All results below are simulated; we did not train"))
    (folder / "results/paper.md").write_text("# A paper\n\nWe trained every method for 30 epochs.\n")
    assert audit(folder).flagged


def _patterns(done: Audit) -> set[str]:
    return {f.pattern for f in done.findings if f.weight > 0}


def test_corpus_names_no_absolute_path(corpus):
    assert all(not Path(path).is_absolute() for c in corpus for path in c.files)
