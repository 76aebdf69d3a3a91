"""Libraries, BibTeX, citations."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, UsageError
from assay.research.briefs import find_brief, literature_file
from assay.research.literature.bibtex import read_bibtex, write_bibtex
from assay.research.literature.citations import UNKNOWN, cited, with_references
from assay.research.literature.local import LocalLibrary, read_bibliography
from assay.research.literature.openalex import OpenAlex
from assay.research.literature.paper import Paper

FOREST = Paper(key="breiman2001", title="Random Forests", authors=("Breiman, Leo",), year=2001, doi="10.1023/A:1")
BAYES = Paper(key="ng2001", title="Logistic Regression and Naive Bayes", authors=("Ng, A.", "Jordan, M."), year=2001)


def test_bibtex_is_read_in_the_forms_people_write() -> None:
    text = r"""
    @comment{not a paper}
    @Article{muller99, title = "The {Title} of a
        Paper", author={M{\"u}ller, J{\'e}r\^ome and O'Neil, Ann}, YEAR = 1999, journal = {J. \& K.},
        doi = {https://doi.org/10.1/ab}}
    @misc{preprint, title={Nested {{Braces}}}, eprint = {1712.00409v2}, date = {2017-12-01}}
    @misc{broken, title = {never closed
    """
    first, second, *_ = read_bibtex(text)
    assert (first.key, first.title, first.year, first.venue) == ("muller99", "The Title of a Paper", 1999, "J. & K.")
    assert first.authors == ("Müller, Jérôme", "O'Neil, Ann")
    assert first.doi == "10.1/ab"
    assert (second.title, second.arxiv, second.year) == ("Nested Braces", "1712.00409", 2017)


words = st.text(st.characters(codec="utf-8", categories=["Lu", "Ll"]), min_size=1, max_size=8)
papers = st.builds(
    Paper,
    key=st.from_regex(r"[a-z]{1,8}[0-9]{4}", fullmatch=True),
    title=st.lists(words, min_size=1, max_size=4).map(" ".join),
    authors=st.lists(st.tuples(words, words).map(", ".join), max_size=3).map(tuple),
    year=st.none() | st.integers(1900, 2030),
    venue=words,
    abstract=st.lists(words, max_size=4).map(" ".join),
)


@given(st.lists(papers, max_size=4))
def test_what_is_written_as_bibtex_is_read_back(given_papers: list[Paper]) -> None:
    assert list(read_bibtex(write_bibtex(given_papers))) == given_papers


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    read_bibtex("@misc{a, title = {" + text)


def test_a_search_ranks_by_shared_rare_words() -> None:
    file = literature_file(find_brief("mlr-demo/rare_class"))
    assert file is not None
    library = LocalLibrary(read_bibliography(file), "ours")
    assert library.search("noisy wrong labels", 2)[0].key in ("natarajan2013", "frenay2014")
    assert {paper.key for paper in library.search("rare class and imbalance", 3)} == {
        "he2009",
        "chawla2002",
        "brodersen2010",
    }
    assert library.search("zzz", 3) == ()


def test_a_json_bibliography_is_read_and_a_wrong_one_explained(tmp_path: Path) -> None:
    file = tmp_path / "papers.json"
    file.write_text(json.dumps([{"key": "a", "title": "A title"}]))
    assert read_bibliography(file)[0].title == "A title"
    file.write_text('[{"name": "a"}]')
    with pytest.raises(UsageError, match="not a list of papers"):
        read_bibliography(file)
    (tmp_path / "empty.bib").write_text("% nothing")
    with pytest.raises(UsageError, match="holds no paper"):
        read_bibliography(tmp_path / "empty.bib")


def test_references_are_the_librarys_and_inventions_are_marked() -> None:
    text = "As [@breiman2001; @ghost2020] and [@ng2001] say.\n\n## References\n\n- Ghost (2020), arXiv:2020.12345\n"
    checked, unknown = with_references(text, [FOREST, BAYES])
    assert unknown == ("ghost2020",)
    assert f"[@breiman2001]{UNKNOWN}" in checked
    assert "2020.12345" not in checked
    assert checked.count("## References") == 1
    assert "- [@ng2001] Ng and Jordan (2001)." in checked
    assert cited(checked) == ("breiman2001", "ng2001")


def test_a_mail_address_is_no_citation() -> None:
    assert cited("write to [ann@example.org](mailto:ann@example.org)") == ()


@pytest.fixture
def index() -> Iterator[tuple[str, list[str]]]:
    """A stand-in for OpenAlex on loopback, in its form."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            work = {
                "id": "https://openalex.org/W42",
                "display_name": "Learning with Noise",
                "authorships": [{"author": {"display_name": "Ada B. Lovelace"}}],
                "publication_year": 2024,
                "primary_location": {"source": {"display_name": "A Journal"}},
                "doi": "https://doi.org/10.48550/arXiv.2401.00001",
                "abstract_inverted_index": {"matters": [1], "Noise": [0]},
            }
            broken = "broken" in self.path
            body = b"<html>" if broken else json.dumps({"results": [work, {"id": "x", "display_name": None}]}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    server.server_close()
    thread.join()


def test_openalex_is_asked_once_and_read(index: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    address, asked = index
    monkeypatch.setenv("OPENALEX_API_KEY", "secret-key")
    (paper,) = OpenAlex(address).search("noise & labels?", 5)
    assert paper == Paper(
        key="W42",
        title="Learning with Noise",
        authors=("Lovelace, Ada B.",),
        year=2024,
        venue="A Journal",
        doi="10.48550/arXiv.2401.00001",
        arxiv="2401.00001",
        abstract="Noise matters",
    )
    (path,) = asked
    query = parse_qs(urlsplit(path).query)
    assert (query["search"], query["per-page"], query["api_key"]) == (["noise labels"], ["5"], ["secret-key"])


def test_an_index_that_fails_is_named_without_the_key(
    index: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", "secret-key")
    with pytest.raises(AssayError) as raised:
        OpenAlex(index[0]).search("broken", 5)
    assert "secret-key" not in raised.value.message + raised.value.hint
    with pytest.raises(AssayError, match="gave no usable answer"):
        OpenAlex("http://127.0.0.1:9").search("anything", 5)
