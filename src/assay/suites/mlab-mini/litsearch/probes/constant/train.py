"""The same twenty records for every query."""

from library import read_queries, read_records, write_reviews

WANTED = 20


def search(records, queries):
    return [range(len(records)) for _ in queries]


def main():
    records, queries = read_records("records.json"), read_queries("queries.csv")
    ranked = search(records, queries)
    write_reviews("reviews.json", queries, [[records[place] for place in order[:WANTED]] for order in ranked])


if __name__ == "__main__":
    main()
