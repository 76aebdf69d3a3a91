"""Cites none to two records by chance."""

import random

from references import read_library, read_sentences, write_bibtex, write_citations


def cite(library, sentences):
    rng = random.Random(0)
    keys = [record["key"] for record in library]
    return [set(rng.sample(keys, rng.randrange(3))) for _ in sentences]


def main():
    library, sentences = read_library("library.json"), read_sentences("sentences.csv")
    cited = cite(library, sentences)
    write_citations("citations.csv", sentences, cited)
    write_bibtex("references.bib", library, cited)


if __name__ == "__main__":
    main()
