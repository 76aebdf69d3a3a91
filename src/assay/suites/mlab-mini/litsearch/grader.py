"""Trusted side of litsearch: a library whose records on one topic use different words for the same things."""

import json
from functools import lru_cache

import numpy as np

from assay.tasks.files import as_csv, as_files, json_of
from assay.tasks.grader import Grade, InvalidOutput

TRAIN_SECRET = 58_160_237
SECRET = {"val": 33_974_051, "test": 92_408_663}

TOPICS, RECORDS, QUERIES = 12, 20, 3
"""Records and queries are numbers for each topic."""
CONCEPTS, SYNONYMS, GENERAL = 10, 3, 300
ABSTRACT = 60
SUMMARY_WORDS = 60


def prepare(split, seed):
    train_records, train_queries, train_truth = _library(np.random.default_rng([TRAIN_SECRET, seed]), "t")
    records, queries, _ = _evaluation(split, seed)
    relevant = [" ".join(train_truth[query]) for query in train_queries]
    return as_files(
        {
            "train_records.json": json.dumps(train_records, indent=0),
            "train_queries.csv": as_csv({"id": train_queries, "text": train_queries.values(), "relevant": relevant}),
            "records.json": json.dumps(records, indent=0),
            "queries.csv": as_csv({"id": queries, "text": queries.values()}),
        }
    )


def grade(outputs, split, seed):
    records, queries, truth = _evaluation(split, seed)
    reviews = json_of(outputs, "reviews.json")
    if not isinstance(reviews, dict) or set(reviews) != set(queries):
        raise InvalidOutput(f"reviews.json must be an object with one review for each of the {len(queries)} query ids")
    titles = {record["id"]: record["title"] for record in records}
    found = {query: _checked(review, query, titles) for query, review in reviews.items()}
    # as many records are named as are relevant, so precision, recall and F1 are one number
    hits = np.array([len(set(found[query]) & set(truth[query])) for query in queries]) / RECORDS
    first = [found[query][0] in truth[query] for query in queries]
    return Grade(
        {"f1_at_20": float(hits.mean()), "first_is_relevant": float(np.mean(first))},
        {"f1_at_20": float(hits.std(ddof=1) / np.sqrt(len(hits)))},
    )


def _checked(review, query, titles):
    """The ids of one review, best first. Raises InvalidOutput that names the query and what is wrong."""
    where = f"reviews.json, query {query}"
    parts = ("records", "summaries", "conclusion")
    if not isinstance(review, dict) or set(review) != set(parts):
        raise InvalidOutput(f"{where}: a review has exactly the parts {', '.join(parts)}")
    ids, summaries = review["records"], review["summaries"]
    if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
        raise InvalidOutput(f"{where}: 'records' must be a list of record ids")
    if len(ids) != RECORDS or len(set(ids)) != RECORDS:
        raise InvalidOutput(f"{where}: 'records' must name {RECORDS} different records")
    for name in ids:
        if name not in titles:
            raise InvalidOutput(f"{where}: there is no record '{name[:50]}'")
    if not isinstance(summaries, dict) or set(summaries) != set(ids):
        raise InvalidOutput(f"{where}: 'summaries' must have one sentence for each of the records")
    for name, summary in summaries.items():
        _check_sentence(summary, titles[name], f"{where}, summary of {name}")
    if not isinstance(review["conclusion"], str) or not review["conclusion"].strip():
        raise InvalidOutput(f"{where}: 'conclusion' is empty")
    return ids


def _check_sentence(summary, title, where):
    if not isinstance(summary, str) or title not in summary or not summary.endswith("."):
        raise InvalidOutput(f"{where}: expected a sentence that names the record's title and ends with a full stop")
    if "\n" in summary or ". " in summary or len(summary.split()) > SUMMARY_WORDS:
        raise InvalidOutput(f"{where}: expected one sentence of at most {SUMMARY_WORDS} words")


@lru_cache(maxsize=2)
def _evaluation(split, seed):
    return _library(np.random.default_rng([SECRET[split], seed]), "q")


def _library(rng, prefix):
    """Records, queries by id, and for each query the ids of its relevant records. Words mean nothing outside it."""
    words = _Words(rng)
    general = words.new(GENERAL)
    topics = [[words.new(SYNONYMS) for _ in range(CONCEPTS)] for _ in range(TOPICS)]
    # ids and the order of records tell nothing about topics
    about = rng.permutation(np.repeat(np.arange(TOPICS), RECORDS))
    records = [{"id": f"r{number:03d}", **_record(topics, topic, general, rng)} for number, topic in enumerate(about)]
    asked = rng.permutation(np.repeat(np.arange(TOPICS), QUERIES))
    queries, truth = {}, {}
    for number, topic in enumerate(asked):
        concepts = rng.choice(CONCEPTS, size=3, replace=False)
        told = [topics[topic][concept][0] for concept in concepts]
        name = f"{prefix}{number:02d}"
        queries[name] = " ".join(told + [str(word) for word in rng.choice(general, size=3)])
        truth[name] = [record["id"] for record, of in zip(records, about, strict=True) if of == topic]
    return records, queries, truth


def _record(topics, topic, general, rng):
    concepts = rng.choice(CONCEPTS, size=4, replace=False)
    title = [rng.choice(topics[topic][concepts[0]]), *rng.choice(general, size=4)]
    abstract = []
    for kind in rng.random(ABSTRACT):
        if kind < 0.16:
            abstract.append(rng.choice(topics[topic][rng.choice(concepts)]))
        elif kind < 0.21:
            abstract.append(rng.choice(topics[rng.integers(TOPICS)][rng.integers(CONCEPTS)]))
        else:
            abstract.append(rng.choice(general))
    return {"title": " ".join(title), "abstract": " ".join(abstract)}


class _Words:
    """Pseudo-words of two or three syllables, each given out once."""

    def __init__(self, rng):
        self._rng = rng
        self._syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
        self._used = set()

    def new(self, number):
        found = []
        while len(found) < number:
            word = "".join(self._rng.choice(self._syllables, size=self._rng.integers(2, 4)))
            if word not in self._used:
                self._used.add(word)
                found.append(word)
        return found
