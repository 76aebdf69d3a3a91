"""The regularised incomplete beta function. scipy has it too, at the price of its import for every `assay score`."""

import math

TINY = 1e-300
CLOSE = 1e-15
TERMS = 10_000


def incomplete_beta(a: float, b: float, x: float) -> float:
    """I_x(a, b) for positive a and b and 0 ≤ x ≤ 1, to about 14 digits."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # the fraction converges fast on this side of the mean only; the other side is its mirror image
    if x > (a + 1) / (a + b + 2):
        return 1.0 - incomplete_beta(b, a, 1 - x)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(front) / a / _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction (NIST DLMF 8.17.22) by the modified method of Lentz."""
    value, c, d = 1.0, 1.0, 0.0
    for term in range(1, TERMS):
        m = term // 2
        if term % 2:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / _not_zero(1.0 + step * d)
        c = _not_zero(1.0 + step / c)
        value *= c * d
        if abs(c * d - 1.0) < CLOSE:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY
