"""Word weights by rarity, and queries that take on the words of the records they found, a few times over."""

import numpy as np
from library import read_queries, read_records, write_reviews
from sklearn.feature_extraction.text import TfidfVectorizer

PASSES = 3
BELIEVED = 8
SHARE = 0.8
WANTED = 20


def search(records, queries):
    words = TfidfVectorizer()
    table = words.fit_transform([f"{record['title']} {record['abstract']}" for record in records]).toarray()
    asked = words.transform([query["text"] for query in queries]).toarray()
    for _ in range(PASSES):
        best = np.argsort(-asked @ table.T, axis=1, kind="stable")[:, :BELIEVED]
        asked = asked + SHARE * table[best].mean(axis=1)
    return np.argsort(-asked @ table.T, axis=1, kind="stable")


def main():
    records, queries = read_records("records.json"), read_queries("queries.csv")
    ranked = search(records, queries)
    write_reviews("reviews.json", queries, [[records[place] for place in order[:WANTED]] for order in ranked])


if __name__ == "__main__":
    main()
