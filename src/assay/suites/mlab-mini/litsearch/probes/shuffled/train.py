"""A sound search for another query than the one that was asked."""

import numpy as np
from library import read_queries, read_records, write_reviews
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

DIMENSIONS = 16
WANTED = 20


def search(records, queries):
    words = TfidfVectorizer()
    table = words.fit_transform([f"{record['title']} {record['abstract']}" for record in records])
    space = TruncatedSVD(DIMENSIONS, random_state=0)
    places = normalize(space.fit_transform(table))
    asked = space.transform(words.transform([query["text"] for query in queries]))
    return np.random.default_rng(0).permutation(np.argsort(-asked @ places.T, axis=1, kind="stable"))


def main():
    records, queries = read_records("records.json"), read_queries("queries.csv")
    ranked = search(records, queries)
    write_reviews("reviews.json", queries, [[records[place] for place in order[:WANTED]] for order in ranked])


if __name__ == "__main__":
    main()
