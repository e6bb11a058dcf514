"""Figures with controls as SVG: panels, marks, and what changes when a control moves.

A figure is a function from the values of its controls to marks and a sentence, the read-out. It is called for every
combination of values; marks are compared one by one, and the page gets the picture of the default values and, for
each attribute that is not the same everywhere, the list of its values. Coordinates are whole numbers: two units are
a pixel where a panel has its natural width.
"""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np
from contourpy import FillType, LineType, contour_generator

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 720, 78, 14, 54, 84  # units: a panel, and the margins around its axes
TOLERANCE = 0.75  # how far a border may be moved to simplify it, in steps of the grid that it was found on
SPECK = 80  # square units: an island that is smaller is not drawn
CHARACTERS = 88, 38  # of a read-out in one line, on a screen and on a phone
FAR = 20_000  # units: no coordinate is farther out


@dataclass(frozen=True)
class Mark:
    """An SVG element."""

    tag: str
    attributes: dict
    text: str = ""

    def having(self, attributes):
        """The element with more attributes."""
        return Mark(self.tag, self.attributes | attributes, self.text)

    def svg(self, more=""):
        """The element as text."""
        attributes = "".join(f' {key}="{escape(str(value))}"' for key, value in self.attributes.items())
        return f"<{self.tag}{attributes}{more}>{italics(self.text)}</{self.tag}>"


def italics(text):
    """The text as HTML, with words between stars in italics."""
    parts = escape(text).split("*")
    return "".join(f'<tspan class="it">{part}</tspan>' if i % 2 else part for i, part in enumerate(parts))


def minus(text):
    """The text of a number with a true minus sign."""
    return text.replace("-", "−")


class Panel:
    """Axes, and marks placed in them; every method that draws takes data coordinates and returns a `Mark`.

    Parameters: limits, labels and ticks of the axes (a list of numbers, or a dictionary from numbers to texts);
    ``log``, which names the logarithmic axes ("x", "y" or "xy"); ``height`` in units; ``markers``, the size of points.
    """

    def __init__(self, xlim, ylim, xlabel="", ylabel="", xticks=(), yticks=(), log="", height=600, markers=17):
        self.xlim, self.ylim, self.log = xlim, ylim, log
        self.labels, self.ticks = (xlabel, ylabel), (xticks, yticks)
        self.height, self.markers = height, markers
        self.x0, self.x1, self.y0, self.y1 = LEFT, WIDTH - RIGHT, height - BOTTOM, TOP

    # --- places ---

    def at(self, points):
        """The places of points (n, 2) in whole units (n, 2)."""
        points = np.reshape(np.asarray(points, dtype=float), (-1, 2))
        ends = ("x", self.xlim, self.x0, self.x1), ("y", self.ylim, self.y0, self.y1)
        units = [self._scaled(column, *end) for column, end in zip(points.T, ends, strict=True)]
        return np.rint(np.clip(np.transpose(units), -FAR, FAR)).astype(int)

    def _scaled(self, values, axis, limits, start, end):
        low, high = np.log(limits) if axis in self.log else limits
        values = np.log(values) if axis in self.log else values
        return start + (values - low) / (high - low) * (end - start)

    def grid(self, step):
        """Grid lines every ``step`` units, from just outside the axes to just outside: (x, y) in data coordinates."""
        x = np.arange(self.x0 - 2 * step, self.x1 + 3 * step, step)
        y = np.arange(self.y0 + 2 * step, self.y1 - 3 * step, -step)
        px = self.xlim[0] + (x - self.x0) / (self.x1 - self.x0) * np.ptp(self.xlim)
        py = self.ylim[0] + (y - self.y0) / (self.y1 - self.y0) * np.ptp(self.ylim)
        return px, py

    def places(self, step):
        """The points of the grid, (n, 2)."""
        gx, gy = np.meshgrid(*self.grid(step))
        return np.column_stack([gx.ravel(), gy.ravel()])

    def values(self, f, step):
        """The grid lines, and on the grid the values of f: (n, 2) -> (n,)."""
        px, py = self.grid(step)
        return px, py, np.reshape(f(self.places(step)), (len(py), len(px))).astype(float)

    # --- marks ---

    def line(self, x, y, look):
        """A polyline."""
        return Mark("path", {"class": look, "d": path([self.at(np.column_stack([x, y]))])})

    def lines(self, pieces, look):
        """Several polylines as one mark, each (n, 2)."""
        return Mark("path", {"class": look, "d": path([self.at(piece) for piece in pieces])})

    def boxes(self, boxes, look):
        """Rectangles (left, right, bottom, top) as one mark."""
        corners = [self.at([(a, c), (b, d)]) for a, b, c, d in boxes]
        drawn = (f"M{x} {y}H{u}V{v}H{x}z" for (x, y), (u, v) in corners)
        return Mark("path", {"class": look, "d": "".join(drawn)})

    def ground(self, look):
        """All of the panel."""
        return self.boxes([(*self.xlim, *self.ylim)], look)

    def region(self, f, look, step=3, tolerance=TOLERANCE):
        """The places where f > 0, with their border, on a grid of so many units; f may have the values -1 and 1."""
        generator = contour_generator(*self.values(f, step), fill_type=FillType.OuterOffset)
        rings = []
        for points, offsets in zip(*generator.filled(0, 1e9), strict=True):
            rings += [self.at(points[a:b]) for a, b in itertools.pairwise(offsets)]
        rings = [simplified(ring, tolerance * step) for ring in rings if area(ring) > SPECK]
        return Mark("path", {"class": look, "d": path(rings, closed=True)})

    def contours(self, f, levels, look, step=4):
        """The lines on which f has one of the levels."""
        generator = contour_generator(*self.values(f, step), line_type=LineType.Separate)
        return Mark(
            "path",
            {
                "class": look,
                "d": path([simplified(self.at(line), 1) for level in levels for line in generator.lines(level)]),
            },
        )

    def points(self, X, kind, look=""):
        """A marker at each row of X; kinds: "pos", "neg", "dot", "ring"."""
        look = f"points {look}".strip()
        return Mark("path", {"class": look, "style": f"marker:url(#{{}}-{kind})", "d": path([self.at(X)])})

    def classes(self, X, y):
        """The points of the two classes."""
        return [self.points(X[y < 0], "neg"), self.points(X[y > 0], "pos")]

    def weighted(self, x, kind, weight, **more):
        """One marker, whose area says its weight (as long as it can be seen)."""
        return self.points([x], kind).having({"stroke-width": f"{max(np.sqrt(weight), 0.25):.2f}"} | more)

    def upright(self, x, look="here"):
        """A vertical line across the axes."""
        ((u, _),) = self.at([(x, self.ylim[0])])
        return Mark("path", {"class": look, "d": f"M{u} {self.y1}V{self.y0}"})

    def here(self, x, *values):
        """A vertical line at x, with a dot at each of the values."""
        return [self.upright(x), self.points([(x, value) for value in values], "dot")]

    def text(self, x, y, words, look="", anchor="start"):
        """Words at a place."""
        ((u, v),) = self.at([(x, y)])
        return Mark("text", {"class": look, "x": int(u), "y": int(v), "text-anchor": anchor}, words)

    # --- the whole ---

    def svg(self, name, marks):
        """The panel with marks drawn inside its axes; ``name`` is for the ids."""
        frame = f'x="{self.x0}" y="{self.y1}" width="{self.x1 - self.x0}" height="{self.y0 - self.y1}"'
        shapes = {
            "pos": '<path class="pos" d="M-6-6H6V6H-6z"/>',
            "neg": '<circle class="neg" r="6.8"/>',
            "dot": '<circle class="dot" r="7"/>',
            "ring": '<circle class="ring" r="9"/>',
        }
        used = [kind for kind in shapes if any(f"-{kind})" in mark for mark in marks)]
        markers = "".join(
            f'<marker id="{name}-{kind}" viewBox="-12 -12 24 24" markerWidth="{24 * self.markers / 13:.3g}" '
            f'markerHeight="{24 * self.markers / 13:.3g}">{shapes[kind]}</marker>'
            for kind in used
        )
        inside = "".join(marks).replace("#{}-", f"#{name}-")
        return (
            f'<svg viewBox="0 0 {WIDTH} {self.height}" aria-hidden="true" focusable="false">'
            f'<defs><clipPath id="{name}-clip"><rect {frame}/></clipPath>{markers}</defs>'
            f'<g class="axes"><rect class="ground" {frame}/>{self._axes()}</g>'
            f'<g clip-path="url(#{name}-clip)">{inside}</g></svg>'
        )

    def _axes(self):
        parts = []
        for value, words in ticks(self.ticks[0]):
            u = self.at([(value, self.ylim[0])])[0, 0]
            parts += [
                f'<path d="M{u} {self.y0}v8"/>',
                f'<text x="{u}" y="{self.y0 + 34}" text-anchor="middle">{words}</text>',
            ]
        for value, words in ticks(self.ticks[1]):
            v = self.at([(self.xlim[0], value)])[0, 1]
            parts += [
                f'<path d="M{self.x0} {v}h-8"/>',
                f'<text x="{self.x0 - 14}" y="{v + 9}" text-anchor="end">{words}</text>',
            ]
        xlabel, ylabel = map(italics, self.labels)
        middle = (self.x0 + self.x1) // 2
        parts.append(f'<text x="{middle}" y="{self.height - 12}" text-anchor="middle">{xlabel}</text>')
        parts.append(f'<text x="{self.x0 - 8}" y="32">{ylabel}</text>')
        return "".join(parts)


def ticks(given):
    """Pairs of a value and its text."""
    pairs = given.items() if isinstance(given, dict) else ((value, minus(f"{value:g}")) for value in given)
    return [(value, italics(text)) for value, text in pairs]


# --- path data -----------------------------------------------------------------------------------


def path(pieces, closed=False):
    """SVG path data of polylines in whole units, relative and without what repeats."""
    drawn = []
    for piece in filter(len, pieces):
        steps = np.diff(piece, axis=0)
        steps = steps[np.any(steps != 0, axis=1)]
        moves = "".join(f"{pair(dx)}{pair(dy)}" for dx, dy in steps).strip()
        drawn.append("M{} {}".format(*piece[0]) + (f"l{moves}" if moves else "") + ("z" if closed else ""))
    return "".join(drawn)


def pair(number):
    """A number with the space that must stand before it."""
    return str(number) if number < 0 else f" {number}"


def area(ring):
    """The area within a closed polyline (n, 2)."""
    x, y = ring.T
    return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2


def simplified(points, tolerance):
    """The polyline without the points that are within the tolerance of a line between others that stay."""
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    open_stretches = [(0, len(points) - 1)]
    while open_stretches:
        a, b = open_stretches.pop()
        if b - a < 2:
            continue
        start, chord = points[a], points[b] - points[a]
        rest = points[a + 1 : b] - start
        length = np.hypot(*chord)
        if length == 0:
            distance = np.hypot(*rest.T)
        else:
            distance = np.abs(chord[0] * rest[:, 1] - chord[1] * rest[:, 0]) / length
        far = int(distance.argmax())
        if distance[far] > tolerance:
            keep[a + 1 + far] = True
            open_stretches += [(a, a + 1 + far), (a + 1 + far, b)]
    return points[keep]


# --- the figure ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Control:
    """A slider: what it is called, its values, the place of the default among them, and how to write a value."""

    label: str
    values: list
    default: int
    text: Callable = lambda value: minus(f"{value:g}")


@dataclass(frozen=True)
class Interactive:
    """A figure with controls.

    ``alt`` says what is seen whatever the controls say. ``frame`` takes a value of each control and returns the
    read-out and, for each panel, a list of marks; the kinds of marks and their order must not depend on the values.
    """

    alt: str
    controls: list
    panels: list
    frame: Callable

    @cached_property
    def default(self):
        """The number of the default combination."""
        number = 0
        for control in self.controls:
            number = number * len(control.values) + control.default
        return number

    @cached_property
    def frames(self):
        """The read-out and the marks, panel by panel, of every combination, the last control running fastest."""
        return [self.frame(*values) for values in itertools.product(*(c.values for c in self.controls))]

    @cached_property
    def changes(self):
        """Lists (mark, attribute, values, numbers) of all that changes: combination i has values[numbers[i]]."""
        found = []
        for number, versions in enumerate(zip(*(marks_of(frame) for frame in self.frames), strict=True)):
            if len({(mark.tag, *mark.attributes) for mark in versions}) > 1:
                raise ValueError(f"mark {number} is not of the same kind for all values of the controls")
            for key in [*versions[0].attributes, ""]:
                found += packed(number, key, [str(mark.attributes.get(key, mark.text)) for mark in versions])
        return found

    def html(self, name):
        """The figure as a piece of a page."""
        readout, *panels = self.frames[self.default]
        changing, number, drawings = {number for number, *_ in self.changes}, itertools.count(), []
        for i, (panel, marks) in enumerate(zip(self.panels, panels, strict=True)):
            numbered = zip(marks, number, strict=False)
            drawn = [m.svg(f' data-mark="{n}"' if n in changing else "") for m, n in numbered]
            drawings.append(panel.svg(f"{name}-{i}", drawn))
        data = {
            "alt": self.alt,
            "sizes": [len(control.values) for control in self.controls],
            "texts": [[control.text(value) for value in control.values] for control in self.controls],
            "readouts": [frame[0] for frame in self.frames],
            "changes": self.changes,
        }
        longest = max(len(frame[0]) for frame in self.frames)
        lines = [-(-longest // n) for n in CHARACTERS]  # the room kept for the read-out, so that nothing below it moves
        script = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        return (
            f'<div class="interactive" data-figure="{name}">\n'
            f'<div class="panels" role="img" aria-label="{escape(f"{self.alt} {readout}")}">{"".join(drawings)}</div>\n'
            f'<div class="controls">{"".join(self._slider(name, i) for i in range(len(self.controls)))}</div>\n'
            f'<output style="--wide: {lines[0]}; --narrow: {lines[1]}">{escape(readout)}</output>\n'
            f'<script type="application/json">{script}</script>\n</div>'
        )

    def _slider(self, name, i):
        control, label = self.controls[i], f"{name}-control-{i}"
        text = escape(control.text(control.values[control.default]))
        words = italics(control.label).replace("tspan", "span")
        return (
            f'<label for="{label}">{words}</label><span class="value" aria-hidden="true">{text}</span>'
            f'<input type="range" id="{label}" min="0" max="{len(control.values) - 1}" value="{control.default}" '
            f'aria-valuetext="{text}" autocomplete="off">'
        )


def marks_of(frame):
    """All marks of a frame in one list."""
    return [mark for panel in frame[1:] for mark in panel]


def packed(number, key, values):
    """The change of one attribute as a list of one entry, or no entry if it never changes."""
    distinct = list(dict.fromkeys(values))
    if len(distinct) == 1:
        return []
    entry = [number, key, distinct]
    return [entry if len(distinct) == len(values) else [*entry, [distinct.index(value) for value in values]]]
