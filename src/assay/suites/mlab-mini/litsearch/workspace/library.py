"""Reading a library and its queries, and writing reviews in the form that is asked for."""

import csv
import json
from pathlib import Path


def read_records(path):
    """Each with `id`, `title` and `abstract`."""
    return json.loads(Path(path).read_text())


def read_queries(path):
    """Each with `id` and `text`; those of the training library also with `relevant`, ids with spaces between them."""
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def review(query, records):
    """The three parts that are asked for: the records, one sentence about each, and a conclusion."""
    return {
        "records": [record["id"] for record in records],
        "summaries": {record["id"]: summary(record) for record in records},
        "conclusion": f"On '{query['text']}', {len(records)} records were found; start with {records[0]['id']}.",
    }


def summary(record):
    return f"'{record['title']}' speaks of {' '.join(record['abstract'].split()[:12])}."


def write_reviews(path, queries, found):
    """`found` has for each query the records that answer it, the best first."""
    reviews = {query["id"]: review(query, records) for query, records in zip(queries, found, strict=True)}
    Path(path).write_text(json.dumps(reviews))
