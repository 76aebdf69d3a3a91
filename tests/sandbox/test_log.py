"""What is kept of a candidate's output."""

from hypothesis import given
from hypothesis import strategies as st

from assay.sandbox.log import HEAD_BYTES, TAIL_BYTES, Log, normalised


def fed(pieces: list[bytes]) -> Log:
    log = Log()
    for piece in pieces:
        log.feed(piece)
    return log


@given(st.lists(st.binary(max_size=4000), max_size=12))
def test_how_it_was_cut_into_pieces_does_not_matter(pieces):
    assert fed(pieces).text({}) == fed([b"".join(pieces)]).text({})


@given(st.lists(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=4000), max_size=12))
def test_beginning_and_end_are_kept_whatever_the_length(pieces):
    whole = "".join(pieces).encode()
    kept = fed([piece.encode() for piece in pieces])
    text = bytes(kept._head + kept._tail)
    assert text.startswith(whole[:HEAD_BYTES]) and text.endswith(whole[-TAIL_BYTES:])
    assert len(text) <= HEAD_BYTES + TAIL_BYTES


@given(st.text())
def test_no_control_character_reaches_a_terminal(text):
    assert not [c for c in normalised(text, {}) if c not in "\n\t" and (c < " " or "\x7f" <= c < "\xa0")]


def test_paths_and_addresses_are_the_same_everywhere():
    names = {"/a/site-packages": "<site-packages>", "/a": "<python>"}
    shown = normalised("/a/site-packages/x.py at 0x7f3a00112233, /a/b, 0xff", names)
    assert shown == "<site-packages>/x.py at 0x…, <python>/b, 0xff"
