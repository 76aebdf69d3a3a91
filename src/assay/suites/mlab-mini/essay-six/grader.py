"""Trusted side of essay-six: made-up essays whose writing follows six skills, each of which is rated with an error."""

import random
from functools import cache

import numpy as np

from assay.tasks.files import as_csv, as_files, numbers_of, table_of
from assay.tasks.grader import Grade

SECRET = {"words": 264_590_113, "train": 731_882_459, "val": 15_037_681, "test": 498_206_527}
TRAIN, ROWS = 600, 400
SKILLS = ("cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions")
MEAN, SPREAD, SHARED = 3.05, 0.68, 0.55
LOWEST, HIGHEST = 1.0, 5.0
RATING_ERROR = 0.25
COMMON, MEDIUM, RARE, PHRASES = 80, 300, 800, 20
CONNECTIVES = ("however", "therefore", "moreover", "although", "because", "thus")
IDS = [f"e{number:04d}" for number in range(TRAIN, TRAIN + ROWS)]


def prepare(split, seed):
    texts, _, ratings = _essays(TRAIN, f"{SECRET['train']}/{seed}")
    columns = dict(zip(SKILLS, ratings.T, strict=True))
    train = as_csv({"id": [f"e{number:04d}" for number in range(TRAIN)], "full_text": texts, **columns})
    return as_files({"train.csv": train, "test.csv": as_csv({"id": IDS, "full_text": _evaluation(split)[0]})})


def grade(outputs, split, seed):
    table = table_of(outputs, "submission.csv", IDS, SKILLS)
    answers = np.column_stack([numbers_of(table, name, "submission.csv") for name in SKILLS])
    _, _, ratings = _evaluation(split)
    with np.errstate(over="ignore"):
        errors = np.sqrt(np.mean((answers - ratings) ** 2, axis=0))
    return Grade({"mcrmse": float(errors.mean()), **dict(zip(SKILLS, errors.tolist(), strict=True))})


@cache
def _evaluation(split):
    return _essays(ROWS, str(SECRET[split]))


@cache
def _words():
    """Common, medium and rare words of a made-up language, and pairs of common words that belong together."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    rng = random.Random(SECRET["words"])
    found = {}
    for wanted, shortest, longest in ((COMMON, 2, 2), (MEDIUM, 2, 3), (RARE, 3, 4)):
        target = len(found) + wanted
        while len(found) < target:
            found["".join(rng.choices(syllables, k=rng.randint(shortest, longest)))] = None
    words = list(found)
    phrases = list(zip(words[0 : 2 * PHRASES : 2], words[1 : 2 * PHRASES : 2], strict=True))
    return words[:COMMON], words[COMMON : COMMON + MEDIUM], words[COMMON + MEDIUM :], phrases


def _essays(rows, seed):
    """Texts, the skills behind them, and the ratings: in halves, as a reader would give them."""
    rng = random.Random(seed)
    texts, skills = [], []
    for _ in range(rows):
        general = rng.gauss(0, 1)
        own = [SHARED**0.5 * general + (1 - SHARED) ** 0.5 * rng.gauss(0, 1) for _ in SKILLS]
        skills.append(np.clip(MEAN + SPREAD * np.array(own), LOWEST, HIGHEST))
        texts.append(_essay((skills[-1] - LOWEST) / (HIGHEST - LOWEST), rng))
    noise = [[rng.gauss(0, RATING_ERROR) for _ in SKILLS] for _ in range(rows)]
    ratings = np.clip(np.round(2 * (np.array(skills) + noise)) / 2, LOWEST, HIGHEST)
    return texts, np.array(skills), ratings


def _essay(skill, rng):
    return " ".join(_sentence(*skill, rng) for _ in range(rng.randint(9, 15)))


def _sentence(cohesion, syntax, vocabulary, phraseology, grammar, conventions, rng):
    common, medium, rare, phrases = _words()
    length = min(max(int(rng.gauss(6 + 9 * syntax, 2)), 3), 22)
    words = [rng.choice(CONNECTIVES)] if rng.random() < 0.08 + 0.6 * cohesion else []
    while len(words) < length:
        if rng.random() < 0.03 + 0.25 * phraseology:
            words += rng.choice(phrases)
            continue
        kind = rng.random()
        seldom = 0.02 + 0.35 * vocabulary
        words.append(rng.choice(rare if kind < seldom else medium if kind < seldom + 0.3 else common))
    words = [_misspelt(_misformed(word, grammar, rng), conventions, rng) for word in words]
    text = " ".join(words)
    return text[0].upper() + text[1:] + "." if rng.random() < 0.3 + 0.7 * conventions else text


def _misformed(word, grammar, rng):
    """A wrong ending, the more often the weaker the grammar."""
    return word + rng.choice(("ed", "s")) if rng.random() < 0.14 * (1 - grammar) else word


def _misspelt(word, conventions, rng):
    """Two letters swapped, the more often the weaker the command of conventions."""
    if rng.random() >= 0.16 * (1 - conventions) or len(word) < 4:
        return word
    place = rng.randint(1, len(word) - 2)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
