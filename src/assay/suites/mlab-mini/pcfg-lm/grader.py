"""Trusted side of pcfg-lm: text of a small secret grammar; contexts without what follows them, each from elsewhere."""

from bisect import bisect
from functools import lru_cache
from itertools import accumulate
from random import Random

import numpy as np

from assay.tasks.expect import probabilities, same_answers
from assay.tasks.grader import Grade

LEXICON_SECRET = 41_906_257
TRAIN_SECRET = 63_827_501
SECRET = {"val": 15_390_743, "test": 87_264_109}
RECHECK_SECRET = 70_518_329

TRAIN_SYMBOLS = 120_000
CONTEXTS, LENGTH = 6000, 128
APART = 400
"""Symbols that are thrown away after each target: more than a paragraph, so that no context tells of another."""
RECHECKED = 600
TOPICS = 4
NOUNS, VERBS, ADJECTIVES = 60, 30, 40
DETERMINERS, DETERMINER_SHARES = ("the", "a", "this"), (0.6, 0.3, 0.1)
FLOOR = 1e-12
SYMBOLS = "\n .abdefghiklmnoprstu"


def conduct(perform, split, seed):
    """One process for all contexts, and one for some of them alone: an answer must not depend on its companions."""
    train = _encoded(_text(TRAIN_SYMBOLS, Random(f"{TRAIN_SECRET} {seed}")))
    contexts, _ = _evaluation(split)
    given = {"train": train, "symbols": SYMBOLS, "seed": seed}
    answers = probabilities(perform({**given, "contexts": contexts}), "probabilities", CONTEXTS, len(SYMBOLS))
    rows = np.random.default_rng([RECHECK_SECRET, SECRET[split], seed]).permutation(CONTEXTS)[:RECHECKED]
    again = probabilities(perform({**given, "contexts": contexts[rows]}), "probabilities", RECHECKED, len(SYMBOLS))
    same_answers(answers[rows], again)
    return {"probabilities": answers}


def grade(outputs, split, seed):
    answers = probabilities(outputs, "probabilities", CONTEXTS, len(SYMBOLS))
    _, truth = _evaluation(split)
    surprise = -np.log(np.maximum(answers[np.arange(CONTEXTS), truth], FLOOR))
    perplexity = float(np.exp(surprise.mean()))
    return Grade(
        {"perplexity": perplexity, "next_symbol_acc": float(np.mean(answers.argmax(axis=1) == truth))},
        {"perplexity": perplexity * float(surprise.std(ddof=1) / np.sqrt(CONTEXTS))},
    )


@lru_cache(maxsize=2)
def _evaluation(split):
    """Contexts of equal length, and the symbol after each, which stays here."""
    stride = LENGTH + 1 + APART
    codes = _encoded(_text(CONTEXTS * stride, Random(SECRET[split]))).reshape(CONTEXTS, stride)
    return codes[:, :LENGTH].copy(), codes[:, LENGTH].astype(np.int64)


def _encoded(text):
    """Each symbol as its place in SYMBOLS."""
    place = np.zeros(128, np.uint8)
    place[np.frombuffer(SYMBOLS.encode(), np.uint8)] = np.arange(len(SYMBOLS))
    return place[np.frombuffer(text.encode(), np.uint8)]


def _text(symbols, rng):
    """Paragraphs of three to seven sentences on one topic each."""
    paragraphs, length = [], 0
    while length < symbols:
        topic = rng.randrange(TOPICS)
        paragraphs.append(" ".join(_sentence(topic, rng) for _ in range(rng.randint(3, 7))) + "\n")
        length += len(paragraphs[-1])
    return "".join(paragraphs)[:symbols]


def _sentence(topic, rng):
    _, verbs, _ = _lexicon()
    words = [*_noun_phrase(topic, rng), verbs[topic](rng)]
    if rng.random() < 0.7:
        words += _noun_phrase(topic if rng.random() < 0.8 else rng.randrange(TOPICS), rng)
    if rng.random() < 0.2:
        words += ["and", verbs[topic](rng)]
    return " ".join(words) + " ."


def _noun_phrase(topic, rng):
    nouns, _, adjectives = _lexicon()
    words = [*rng.choices(DETERMINERS, DETERMINER_SHARES)]
    if rng.random() < 0.35:
        words.append(adjectives(rng))
    words.append(nouns[topic](rng))
    return [*words, "of", *_noun_phrase(topic, rng)] if rng.random() < 0.15 else words


@lru_cache(maxsize=1)
def _lexicon():
    """Nouns and verbs by topic, and adjectives; each draws a word, the n-th in proportion to 1/n."""
    rng = Random(LEXICON_SECRET)
    syllables = [consonant + vowel for consonant in "bdfgklmnprst" for vowel in "aeiou"]
    used = {*DETERMINERS, "of", "and"}

    def words(number):
        found = []
        while len(found) < number:
            word = "".join(rng.choices(syllables, k=rng.randint(1, 3)))
            if word not in used:
                used.add(word)
                found.append(word)
        totals = [*accumulate(1 / rank for rank in range(1, number + 1))]
        return lambda rng: found[bisect(totals, rng.random() * totals[-1])]

    return [words(NOUNS) for _ in range(TOPICS)], [words(VERBS) for _ in range(TOPICS)], words(ADJECTIVES)
