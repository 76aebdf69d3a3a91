"""Sound rules, with the answers of one sentence given for another."""

import random
import re

from references import read_library, read_sentences, write_bibtex, write_citations


def mentions(record):
    """All texts that stand for a record."""
    words = record["title"].split()
    yield record["title"]
    yield record["abstract"].split()[2]
    yield f"{record['authors'][0]} et al. ({record['year']})"
    yield f"the {' '.join(words[1:4])} approach"


def cite(library, sentences):
    cited = [set() for _ in sentences]
    for record in library:
        pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, mentions(record)))})(?!\w)")
        for sentence, keys in zip(sentences, cited, strict=True):
            if pattern.search(sentence["text"]):
                keys.add(record["key"])
    random.Random(0).shuffle(cited)
    return cited


def main():
    library, sentences = read_library("library.json"), read_sentences("sentences.csv")
    cited = cite(library, sentences)
    write_citations("citations.csv", sentences, cited)
    write_bibtex("references.bib", library, cited)


if __name__ == "__main__":
    main()
