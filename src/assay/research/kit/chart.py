"""Line charts as SVG, with nothing but the standard library.

line_chart("results/accuracy.svg", "Accuracy", "share of wrong labels", "accuracy",
           x=[0.0, 0.1], series={"forest": [0.9, 0.8]}, spread={"forest": [0.01, 0.02]})
"""

import math
from html import escape
from pathlib import Path

HEIGHT = 400
LEFT, RIGHT, TOP, BOTTOM = 70, 470, 40, 60
"""Edges of the plot; names of series stand to the right of it."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
DASHES = ("", "6 3", "2 3", "8 3 2 3")


def line_chart(
    path: str,
    title: str,
    x_label: str,
    y_label: str,
    x: list[float],
    series: dict[str, list[float]],
    spread: dict[str, list[float]] | None = None,
) -> None:
    """Draw every series over `x`, with a bar of ± spread at each point where it is given. Points that are not finite
    are left out."""
    ends = [end for name, points in series.items() for end in _reach(points, (spread or {}).get(name, []))] or [0.0]
    width = RIGHT + 60 + 7 * max(map(len, series), default=0)
    axes = _Axes(min(x), max(x), min(ends), max(ends))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="24" font-size="15">{escape(title)}</text>',
        *axes.frame(x, x_label, y_label),
    ]
    for number, (name, points) in enumerate(series.items()):
        bars = (spread or {}).get(name, [])
        parts += _curve(axes, number, name, list(zip(x, points, strict=True)), bars)
    Path(path).write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


class _Axes:
    """From values to places on the page."""

    def __init__(self, left: float, right: float, low: float, high: float) -> None:
        self._x = (left, right if right > left else left + 1)
        margin = (high - low) * 0.05 or 0.5
        self._y = (low - margin, high + margin)

    def x(self, value: float) -> float:
        return LEFT + (value - self._x[0]) / (self._x[1] - self._x[0]) * (RIGHT - LEFT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (value - self._y[0]) / (self._y[1] - self._y[0]) * (HEIGHT - TOP - BOTTOM)

    def frame(self, x: list[float], x_label: str, y_label: str) -> list[str]:
        bottom, right = HEIGHT - BOTTOM, RIGHT
        parts = [f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="black"/>']
        free = -math.inf
        for value in sorted(x):
            if self.x(value) < free:
                continue  # no room for its number
            free = self.x(value) + 8 * len(f"{value:g}") + 4
            parts.append(f'<text x="{self.x(value):.1f}" y="{bottom + 18}" text-anchor="middle">{value:g}</text>')
        for value in _ticks(*self._y):
            height = self.y(value)
            parts.append(f'<path d="M{LEFT} {height:.1f}H{right}" stroke="#ddd"/>')
            parts.append(f'<text x="{LEFT - 8}" y="{height + 4:.1f}" text-anchor="end">{value:g}</text>')
        middle = (TOP + bottom) / 2
        parts.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 18}" text-anchor="middle">{escape(x_label)}</text>')
        turned = f'transform="rotate(-90 18 {middle})" text-anchor="middle"'
        parts.append(f'<text x="18" y="{middle}" {turned}>{escape(y_label)}</text>')
        return parts


def _curve(axes: _Axes, number: int, name: str, points: list[tuple[float, float]], bars: list[float]) -> list[str]:
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
    places = [(axes.x(x), axes.y(y)) for x, y in points if math.isfinite(y)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    style = f'stroke="{colour}" stroke-dasharray="{dash}"' if dash else f'stroke="{colour}"'
    parts = [f'<polyline points="{line}" fill="none" stroke-width="2" {style}/>']
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
    for (x, y), size in zip(points, bars, strict=False):
        if math.isfinite(y) and math.isfinite(size):
            ends = f"M{axes.x(x):.1f} {axes.y(y - size):.1f}V{axes.y(y + size):.1f}"
            parts.append(f'<path d="{ends}" stroke="{colour}"/>')
    height = TOP + 14 + 20 * number
    edge = RIGHT + 12
    parts.append(f'<path d="M{edge} {height - 4}h22" stroke-width="2" {style}/>')
    parts.append(f'<text x="{edge + 28}" y="{height}">{escape(name)}</text>')
    return parts


def _reach(points: list[float], bars: list[float]) -> list[float]:
    """Where points and bars end."""
    sizes = [*bars, *[0.0] * (len(points) - len(bars))]
    pairs = [(value, size if math.isfinite(size) else 0.0) for value, size in zip(points, sizes, strict=False)]
    return [end for value, size in pairs if math.isfinite(value) for end in (value - size, value + size)]


def _ticks(low: float, high: float) -> list[float]:
    """About five round values."""
    raw = (high - low) / 5
    power = 10 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw)
    first = math.ceil(low / step)
    return [round(n * step, 10) for n in range(first, math.floor(high / step) + 1)]
