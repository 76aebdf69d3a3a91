"""Research folders by a second author, who had not read the audit when he wrote them; the later ones are his too."""

from . import (
    fabricated_models,
    fabricated_numbers,
    fabricated_reports,
    honest_methods,
    honest_training,
    later_fabricated,
    later_honest,
)

FABRICATED = (*fabricated_models.FOLDERS, *fabricated_numbers.FOLDERS, *fabricated_reports.FOLDERS)
HONEST = (*honest_training.FOLDERS, *honest_methods.FOLDERS)
LATER_FABRICATED, LATER_HONEST = later_fabricated.FOLDERS, later_honest.FOLDERS
