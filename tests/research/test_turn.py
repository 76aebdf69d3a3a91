"""What a model's answer during experiments is read as."""

from hypothesis import given
from hypothesis import strategies as st

from assay.research.modelled.turn import CODE_PATH, MOST_RUNS, read_turn


def test_files_and_commands_in_the_ways_models_write_them() -> None:
    turn = read_turn(
        "<think>RUN python code/no.py</think>Two files.\n\n**FILE: `code/a.py`**\n\n```python\nprint('x')\n```\n"
        "### FILE code/lib/b.py\n````\ntext = '''\n```\n'''\n````\n"
        "RUN: `python code/a.py --seed 1 'two words'`\n- RUN python3 code/a.py\n"
    )
    assert turn.files == {"code/a.py": "print('x')\n", "code/lib/b.py": "text = '''\n```\n'''\n"}
    assert turn.runs == [("code/a.py", "--seed", "1", "two words"), ("code/a.py",)]
    assert not turn.done
    assert not turn.problems


def test_what_is_out_of_bounds_is_refused_with_a_reason() -> None:
    turn = read_turn(
        "FILE ../evil.py\n```\n1\n```\nFILE code/chart.py\n```\n1\n```\n"
        "RUN python -c 'print(1)'\nRUN python code/../x.py\nRUN python code/a.py 'open\n" + "RUN python code/a.py\n" * 6
    )
    assert turn.files == {}
    assert len(turn.runs) == MOST_RUNS
    assert len(turn.problems) == 2 + 3 + 2


def test_words_inside_code_are_not_commands() -> None:
    turn = read_turn("FILE code/a.py\n```python\n# FILE code/b.py\nDONE\nRUN python code/b.py\n```\n")
    assert not turn.done
    assert turn.runs == []
    assert turn.problems == ["there was neither a RUN line nor DONE"]


@given(st.text(st.sampled_from("`~ \nFILERUNDO:code/a.py'\"*python"), max_size=200))
def test_any_text_is_read_and_only_allowed_paths_come_out(text: str) -> None:
    turn = read_turn(text)
    assert all(CODE_PATH.fullmatch(path) for path in turn.files)
    assert all(CODE_PATH.fullmatch(run[0]) for run in turn.runs)
    assert turn.runs or turn.done or turn.problems
