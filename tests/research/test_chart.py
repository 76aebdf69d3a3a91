"""The chart that experiments draw with."""

import math
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from assay.research.kit.chart import line_chart

SVG = "{http://www.w3.org/2000/svg}"
numbers = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf])


@given(
    st.lists(st.floats(-100, 100), min_size=1, max_size=5, unique=True).flatmap(
        lambda x: st.tuples(st.just(x), st.lists(numbers, min_size=len(x), max_size=len(x)))
    ),
    st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=10),
)
def test_any_series_is_drawn_as_valid_svg_with_its_finite_points(
    points: tuple[list[float], list[float]], name: str
) -> None:
    x, y = points
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.svg"
        line_chart(str(file), name, name, "y", x, {name: y}, {name: y})
        root = ElementTree.parse(file).getroot()
    circles = list(root.iter(f"{SVG}circle"))
    assert len(circles) == sum(map(math.isfinite, y))
    assert all(math.isfinite(float(circle.attrib["cy"])) for circle in circles)
    assert name in [element.text or "" for element in root.iter(f"{SVG}text")]
