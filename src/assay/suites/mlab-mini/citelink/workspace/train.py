"""Cites a record wherever its whole title stands in a sentence.

Reads library.json and sentences.csv, writes citations.csv and references.bib, and prints how well the same rules do on
the training sentences.
"""

from references import read_library, read_sentences, write_bibtex, write_citations

FIRST_WORD, WORDS = 0, 6  # the words of a title that must stand in a sentence; no title has more than six


def mentioned(record, text):
    return " ".join(record["title"].split()[FIRST_WORD : FIRST_WORD + WORDS]) in text


def cite(library, sentences):
    """For each sentence the keys of the records it mentions."""
    return [{record["key"] for record in library if mentioned(record, sentence["text"])} for sentence in sentences]


def micro_f1(cited, truth):
    """Of all pairs of a sentence and a key together."""
    both = sum(len(found & wanted) for found, wanted in zip(cited, truth, strict=True))
    return 2 * both / sum(len(found) + len(wanted) for found, wanted in zip(cited, truth, strict=True))


def main():
    train_sentences = read_sentences("train_sentences.csv")
    truth = [set(sentence["keys"].split()) for sentence in train_sentences]
    cited = cite(read_library("train_library.json"), train_sentences)
    print(f"micro_f1 on the training sentences: {micro_f1(cited, truth):.4f}")
    library, sentences = read_library("library.json"), read_sentences("sentences.csv")
    cited = cite(library, sentences)
    write_citations("citations.csv", sentences, cited)
    write_bibtex("references.bib", library, cited)


if __name__ == "__main__":
    main()
