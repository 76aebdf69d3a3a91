"""Trusted side of citelink: sentences that mention records of a library by title, acronym, authors or paraphrase."""

import json
import re
from functools import lru_cache

import numpy as np

from assay.tasks.files import as_csv, as_files, table_of, text_of
from assay.tasks.grader import Grade, InvalidOutput

TRAIN_SECRET = 77_053_619
SECRET = {"val": 10_682_947, "test": 45_917_203}

RECORDS, SENTENCES = 150, 300
SURNAMES, VOCABULARY = 60, 150
YEARS = (2010, 2024)
WAYS = 5 * ["title"] + 6 * ["acronym"] + 5 * ["authors"] + 4 * ["paraphrase"]
"""How records are mentioned: each time one of these is drawn."""
BIB_CHARACTERS = 1 << 20


def prepare(split, seed):
    train_library, train_sentences, truth = _draw(np.random.default_rng([TRAIN_SECRET, seed]), "t")
    library, sentences, _ = _evaluation(split, seed)
    keys = [" ".join(sorted(truth[name])) for name in train_sentences]
    return as_files(
        {
            "train_library.json": json.dumps(train_library, indent=0),
            "train_sentences.csv": as_csv({"id": train_sentences, "text": train_sentences.values(), "keys": keys}),
            "library.json": json.dumps(library, indent=0),
            "sentences.csv": as_csv({"id": sentences, "text": sentences.values()}),
        }
    )


def grade(outputs, split, seed):
    library, sentences, truth = _evaluation(split, seed)
    records = {record["key"]: record for record in library}
    table = table_of(outputs, "citations.csv", list(sentences), ["keys"])
    found = {name: _keys(text, name, records) for name, text in zip(sentences, table["keys"], strict=True)}
    entries = _entries(text_of(outputs, "references.bib"))
    _check_entries(entries, set().union(*found.values()), records)
    both = sum(len(found[name] & truth[name]) for name in sentences)
    said, wanted = (sum(len(keys[name]) for name in sentences) for keys in (found, truth))
    precision = both / said if said else np.nan
    return Grade({"micro_f1": 2 * both / (said + wanted), "precision": precision, "recall": both / wanted})


def _keys(text, name, records):
    words = text.split()
    for word in words:
        if word not in records:
            raise InvalidOutput(f"citations.csv, id {name}: there is no record with the key '{word[:50]}'")
    return set(words)


def _entries(text):
    """Key and fields of every BibTeX entry. Raises InvalidOutput that quotes what cannot be read."""
    if len(text) > BIB_CHARACTERS:
        raise InvalidOutput(f"references.bib has more than {BIB_CHARACTERS} characters")
    entries, place = {}, 0
    while head := _HEAD.match(text, place):
        key, place, fields = head["key"], head.end(), {}
        while field := _FIELD.match(text, place):
            fields[field["name"].lower()] = field["braced"] if field["braced"] is not None else field["quoted"]
            place = field.end()
        end = _END.match(text, place)
        if not end:
            raise InvalidOutput(f"references.bib, entry {key}: cannot read {text[place : place + 40]!r}")
        if key in entries:
            raise InvalidOutput(f"references.bib: two entries have the key {key}")
        entries[key], place = fields, end.end()
    if text[place:].strip():
        raise InvalidOutput(f"references.bib: cannot read {text[place:].strip()[:40]!r}")
    return entries


_HEAD = re.compile(r"\s*@[A-Za-z]+\s*\{\s*(?P<key>[^\s,{}\"]+)\s*")
_FIELD = re.compile(r',\s*(?P<name>[A-Za-z]+)\s*=\s*(?:\{(?P<braced>[^{}"]*)\}|"(?P<quoted>[^{}"]*)")\s*')
_END = re.compile(r",?\s*\}")


def _check_entries(entries, cited, records):
    """One true entry for each cited record and for no other."""
    for key in sorted(cited ^ set(entries)):
        raise InvalidOutput(f"references.bib: {'no entry for' if key in cited else 'nothing cites'} {key[:50]}")
    for key, fields in entries.items():
        record = records[key]
        wanted = {"title": record["title"], "author": " and ".join(record["authors"]), "year": str(record["year"])}
        for name, value in wanted.items():
            if fields.get(name) != value:
                raise InvalidOutput(f"references.bib, entry {key}: {name} must be {{{value}}}")


@lru_cache(maxsize=2)
def _evaluation(split, seed):
    return _draw(np.random.default_rng([SECRET[split], seed]), "s")


def _draw(rng, prefix):
    """Records, sentences by id, and for each sentence the keys of the records it mentions."""
    words = _Words(rng)
    surnames = [word.capitalize() for word in words.new(SURNAMES)]
    vocabulary = words.new(VOCABULARY)
    # keys tell nothing: they are given out in random order
    keys = [f"k{number:03d}" for number in rng.permutation(RECORDS)]
    library = sorted((_record(key, surnames, vocabulary, rng) for key in keys), key=lambda record: record["key"])
    # one mention a sentence on average, and as many in every library
    numbers = rng.permutation(np.resize([0, 1, 2], SENTENCES))
    sentences, truth = {}, {}
    for number, mentions in enumerate(numbers):
        name = f"{prefix}{number:03d}"
        mentioned = rng.choice(RECORDS, size=mentions, replace=False)
        parts = [str(word) for word in rng.choice(vocabulary, size=6)]
        for place in mentioned:
            parts.insert(rng.integers(len(parts)), _mention(library[place], rng.choice(WAYS)))
        sentences[name] = " ".join(parts)
        truth[name] = {library[place]["key"] for place in mentioned}
    for record in library:
        del record["acronym"]
    return library, sentences, truth


def _record(key, surnames, vocabulary, rng):
    title = [str(word) for word in rng.choice(vocabulary, size=rng.integers(4, 7))]
    acronym = "".join(word[0].upper() for word in title) + str(rng.choice(["Net", "Former", "", "", ""]))
    return {
        "key": key,
        "title": " ".join(title),
        "authors": [str(name) for name in rng.choice(surnames, size=rng.integers(1, 4), replace=False)],
        "year": int(rng.integers(*YEARS)),
        "acronym": acronym,
        "abstract": f"we propose {acronym} , a {' '.join(title[1:])} approach",
    }


def _mention(record, way):
    if way == "title":
        return f'"{record["title"]}"'
    if way == "acronym":
        return record["acronym"]
    if way == "authors":
        return f"{record['authors'][0]} et al. ({record['year']})"
    return f"the {' '.join(record['title'].split()[1:4])} approach"


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
