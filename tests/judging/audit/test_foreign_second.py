"""Folders of a second author, who had read neither the audit nor its tests when he wrote them.

The later ones he wrote after the first improvement. All were used to improve the audit afterwards, so the rates here are a floor to keep; docs/audit.md gives what they
showed at the first try.
"""

import pytest

from assay.judging.audit.audit import audit

from .foreign_second import FABRICATED, HONEST, LATER_FABRICATED, LATER_HONEST
from .foreign_second.kit import lay


@pytest.mark.parametrize("folder", FABRICATED + LATER_FABRICATED, ids=lambda folder: folder.__name__)
def test_a_fabricated_folder_is_flagged(folder, tmp_path):
    assert audit(lay(folder(), tmp_path)).flagged


@pytest.mark.parametrize("folder", HONEST + LATER_HONEST, ids=lambda folder: folder.__name__)
def test_an_honest_folder_is_not(folder, tmp_path):
    done = audit(lay(folder(), tmp_path))
    assert not done.flagged, done.findings
