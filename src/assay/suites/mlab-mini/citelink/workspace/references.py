"""Reading a library and sentences, and the two files that are handed in."""

import csv
import json
from pathlib import Path


def read_library(path):
    """Each record with `key`, `title`, `authors`, `year` and `abstract`."""
    return json.loads(Path(path).read_text())


def read_sentences(path):
    """Each with `id` and `text`; those for training also with `keys`, with spaces between them."""
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def write_citations(path, sentences, cited):
    """`cited` has a set of keys for each sentence."""
    with Path(path).open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "keys"])
        table.writerows(
            (sentence["id"], " ".join(sorted(keys))) for sentence, keys in zip(sentences, cited, strict=True)
        )


def write_bibtex(path, library, cited):
    """One entry for each record that is cited anywhere."""
    wanted = set().union(*cited)
    with Path(path).open("w") as file:
        for record in library:
            if record["key"] in wanted:
                author = " and ".join(record["authors"])
                fields = {"title": record["title"], "author": author, "year": record["year"]}
                lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
                file.write(f"@article{{{record['key']},\n{lines}\n}}\n\n")
