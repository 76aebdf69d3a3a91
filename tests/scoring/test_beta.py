"""The incomplete beta function against scipy's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.scoring.beta import incomplete_beta


@settings(deadline=None)
@given(st.floats(0.5, 600), st.floats(0.5, 20), st.floats(0, 1))
def test_it_is_scipys(a: float, b: float, x: float) -> None:
    from scipy.special import betainc

    assert incomplete_beta(a, b, x) == pytest.approx(betainc(a, b, x), rel=1e-9, abs=1e-12)
