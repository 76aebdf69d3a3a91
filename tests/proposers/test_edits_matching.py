"""A search block finds its one place, and nothing else, however its white space was treated on the way."""

from hypothesis import given
from hypothesis import strategies as st

from assay.proposers.edits.matching import Missing, Place, locate

WORDS = st.text("abcdefgh_=+() ", min_size=3, max_size=20).map(str.strip).filter(lambda text: len(text) > 2)


@st.composite
def files(draw: st.DrawFn) -> tuple[list[str], int, int]:
    """A file of different lines, and a stretch of it."""
    lines = draw(st.lists(WORDS, min_size=2, max_size=30, unique=True))
    lines = [" " * 4 * draw(st.integers(0, 2)) + line for line in lines]
    start = draw(st.integers(0, len(lines) - 1))
    return lines, start, draw(st.integers(start + 1, len(lines)))


@given(files(), st.sampled_from(["", "  ", "\t"]), st.sampled_from(["", "\n", "\n\n"]))
def test_ends_of_lines_and_empty_lines_do_not_matter(
    file: tuple[list[str], int, int], trailing: str, around: str
) -> None:
    lines, start, end = file
    search = around + "\n".join(line + trailing for line in lines[start:end]) + around
    assert locate("\n".join(lines), search) == Place(start, end)


@given(files(), st.integers(1, 3))
def test_a_common_indentation_is_found_and_told(file: tuple[list[str], int, int], levels: int) -> None:
    lines, start, end = file
    indent = "    " * levels
    inner = [indent + line for line in lines]
    assert locate("\n".join(inner), "\n".join(lines[start:end])) == Place(start, end, indent, "")
    assert locate("\n".join(lines), "\n".join(inner[start:end])) == Place(start, end, "", indent)


@given(files())
def test_what_stands_twice_is_not_chosen_between(file: tuple[list[str], int, int]) -> None:
    lines, start, end = file
    found = locate("\n".join([*lines, "between", *lines]), "\n".join(lines[start:end]))
    assert found == Missing(2)


@given(files())
def test_what_is_not_there_is_not_found(file: tuple[list[str], int, int]) -> None:
    lines, start, end = file
    strange = [f"{number * 7919} %%% {'xyz' * 9}" for number in range(end - start)]
    assert locate("\n".join(lines), "\n".join(strange)) == Missing(0)
