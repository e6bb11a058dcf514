"""The figures with controls: what is drawn is what the package says, and the page can show every setting of it."""

import gzip
import html as markup
import itertools
import json
import re
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from book_sources import Box, Line, read_pages, references

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "book"))

import figures  # noqa: E402
from figures import coins, degree, growth, losses, neighbors, rounds, step_size, street, updates  # noqa: E402
from figures.drawing import Control, Interactive, Panel, marks_of, path, simplified  # noqa: E402

from mlcourse import SVM, GaussianKernel, KNearestNeighbors  # noqa: E402

KB = 1000
make = cache(figures.make)
MOVE = re.compile(r"([MlHVz])([^MlHVz]*)")


@cache
def shown_as(name):
    """The piece of a page that shows a figure."""
    return make(name).html(name)


def combinations(figure):
    """All values of the controls, in the order of the frames."""
    return list(itertools.product(*(control.values for control in figure.controls)))


def frame_of(figure, *values):
    """The frame for these values of the controls."""
    return figure.frames[combinations(figure).index(values)]


def pieces(d):
    """The polylines of path data, each (n, 2) in units."""
    found = []
    for letter, numbers in MOVE.findall(d):
        values = [int(number) for number in re.findall(r"-?\d+", numbers)]
        if letter == "M":
            found.append([np.array(values)])
        elif letter == "l":
            for step in np.reshape(values, (-1, 2)):
                found[-1].append(found[-1][-1] + step)
        elif letter in "HV":
            place = found[-1][-1].copy()
            place["HV".index(letter)] = values[0]
            found[-1].append(place)
    return [np.array(piece) for piece in found]


def inside(d, places):
    """Whether places (n, 2) lie in the region that a path bounds, by the even-odd rule."""
    odd = np.zeros(len(places), dtype=bool)
    for ring in pieces(d):
        for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            crosses = (ay > places[:, 1]) != (by > places[:, 1])
            if crosses.any():
                with np.errstate(divide="ignore", invalid="ignore"):
                    x = ax + (places[:, 1] - ay) * (bx - ax) / (by - ay)
                odd ^= crosses & (places[:, 0] < x)
    return odd


def data(panel, places):
    """The data coordinates of places in units, on linear axes."""
    x = panel.xlim[0] + (places[:, 0] - panel.x0) / (panel.x1 - panel.x0) * np.ptp(panel.xlim)
    y = panel.ylim[0] + (places[:, 1] - panel.y0) / (panel.y1 - panel.y0) * np.ptp(panel.ylim)
    return np.column_stack([x, y])


def drawn(marks, look):
    """The path data of the only mark of that class."""
    (found,) = [mark.attributes["d"] for mark in marks if mark.attributes.get("class") == look]
    return found


def agreement(panel, d, predict, reach=5):
    """Compare a region with a rule at random places, away from its border: (share compared, all agree)."""
    rng = np.random.default_rng(0)
    places = np.column_stack([rng.integers(panel.x0, panel.x1, 1500), rng.integers(panel.y1, panel.y0, 1500)])
    around = [
        predict(data(panel, places + shift))
        for shift in reach * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]])
    ]
    clear = np.ptp(around, axis=0) == 0
    return clear.mean(), (inside(d, places[clear]) == (around[0][clear] > 0)).all()


# ------------------------------------------------------------------------------- every figure


@pytest.mark.parametrize("name", figures.NAMES)
def test_a_figure_is_small_and_described(name):
    figure, text = make(name), shown_as(name)
    assert len(gzip.compress(text.encode())) < 25 * KB and len(text) < 60 * KB
    assert len(figure.alt.split()) >= 20 and figure.alt.endswith(".")
    assert f'aria-label="{figure.alt} {figure.frames[figure.default][0]}"' in markup.unescape(text)
    for control in figure.controls:
        assert control.label.replace("*", "").strip() and 0 <= control.default < len(control.values)
        assert len({control.text(value) for value in control.values}) == len(control.values) >= 5
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids)) and all(label.startswith(f"{name}-") for label in ids)
    assert set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'for="([^"]+)"', text)) <= set(ids)
    assert not re.search(r"[\s\"](nan|inf|None)\b", re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL))


@pytest.mark.parametrize("name", figures.NAMES)
def test_every_setting_has_a_readout_of_its_own(name):
    figure = make(name)
    readouts = [frame[0] for frame in figure.frames]
    assert len(readouts) == len(combinations(figure)) == len(set(readouts))
    assert all(10 < len(text) < 130 and "nan" not in text for text in readouts)


@pytest.mark.parametrize("name", figures.NAMES)
def test_the_page_can_draw_every_setting(name):
    """What interactive.js does, in Python: the changes lead from the picture in the page to every frame."""
    figure, text = make(name), shown_as(name)
    stored = json.loads(re.search(r'<script type="application/json">(.*)</script>', text)[1].replace("<\\/", "</"))
    shown = {}
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        for element in ElementTree.fromstring(svg).iter():
            if "data-mark" in element.attrib:
                shown[int(element.attrib["data-mark"])] = element
    assert set(shown) == {number for number, *_ in stored["changes"]}
    assert stored["sizes"] == [len(control.values) for control in figure.controls]
    for now, frame in enumerate(figure.frames):
        state = {n: dict(e.attrib) | {"": "".join(e.itertext())} for n, e in shown.items()}
        for number, attribute, values, *numbers in stored["changes"]:
            value = values[numbers[0][now] if numbers else now]
            if now == figure.default:
                assert state[number][attribute] == value
            state[number][attribute] = value
        for number, mark in enumerate(marks_of(frame)):
            if number in shown:
                wanted = {key: str(value) for key, value in mark.attributes.items()} | {"": mark.text}
                wanted["data-mark"] = str(number)
                if "style" in wanted:
                    wanted["style"] = state[number]["style"]  # the name of the marker has the figure's in front
                assert state[number] == wanted and "*" not in mark.text
        assert stored["readouts"][now] == frame[0]
    assert f">{stored['readouts'][figure.default]}</output>" in markup.unescape(text)


def test_every_figure_is_shown_in_one_chapter_and_spoken_of(root):
    shown = {}
    for page in read_pages(root):
        if page.docname == "book/intro":  # the front page borrows one
            continue
        cited = {target for role, target, _ in references(page) if role == "numref"}
        for box in page.of(Box):
            if box.name == "interactive":
                name = box.argument.strip()
                assert name in figures.NAMES, f"{box.place}: there is no figure {name}"
                assert name not in shown, f"{box.place}: {name} is already shown at {shown[name]}"
                assert box.label == "fig-" + name.replace("_", "-") and box.label in cited, f"{box.place}: {box.label}"
                assert any(isinstance(item, Line) for item in page.items) and len(box.body.split()) > 20
                shown[name] = box.place
    assert set(shown) == set(figures.NAMES)


# ------------------------------------------------------------------------------- the machine


def test_paths_come_back_as_the_points_they_were_made_of():
    points = np.random.default_rng(0).integers(-50, 50, size=(40, 2))
    (back,) = pieces(path([points]))
    assert (back == points).all()
    assert path([points[:2]], closed=True).endswith("z") and path([points[[0, 0]]]) == "M{} {}".format(*points[0])


def test_simplified_lines_stay_near():
    t = np.linspace(0, 6, 400)
    curve = np.column_stack([100 * t, 80 * np.sin(t)])
    few = simplified(curve, 1.5)
    assert 5 < len(few) < 60
    assert np.abs(np.interp(curve[:, 0], few[:, 0], few[:, 1]) - curve[:, 1]).max() < 2.5
    assert len(simplified(np.column_stack([t, 3 * t]), 0.1)) == 2


def test_marks_that_come_and_go_are_refused():
    panel = Panel((0, 1), (0, 1))

    def frame(k):
        return f"k = {k}", [panel.line([0, 1], [0, k], "curve")] if k else [panel.text(0, 0, "none")]

    with pytest.raises(ValueError, match="mark 0 is not of the same kind"):
        Interactive("", [Control("k", [0, 1], 0)], [panel], frame).html("x")


def test_an_unknown_figure_is_named():
    with pytest.raises(LookupError, match="there is no figure 'drawing'"):
        figures.make("drawing")


CONF = """
import sys
sys.path.insert(0, EXTENSIONS)
extensions = ["myst_parser", "interactive"]
myst_enable_extensions = ["dollarmath"]
numfig = True
"""
PAGES = {
    "index.md": "# Book\n\n```{toctree}\none\n```\n",
    "one.md": """# One

See {numref}`fig-losses`.

```{interactive} losses
:name: fig-losses

Move the *signed* score $z$;
watch the slopes.
```
""",
}


def test_the_directive_makes_a_numbered_figure(project, build, root):
    folder = project(PAGES | {"conf.py": CONF.replace("EXTENSIONS", repr(str(root / "book" / "_ext")))})
    assert build() == (0, "")
    page, other = ((folder / "_build" / name).read_text("utf8") for name in ("one.html", "index.html"))
    assert shown_as("losses") in page and 'id="fig-losses"' in page
    assert re.search(r'href="#fig-losses"><span class="std std-numref">Fig. 1</span>', page)
    assert "Move the <em>signed</em> score" in page and "watch the slopes." in page
    assert re.search(r'<script defer="defer" src="_static/interactive.js', page) and "interactive.css" in page
    assert "interactive" not in other

    project({"one.md": PAGES["one.md"].replace("{interactive} losses", "{interactive} gains")})
    code, said = build()
    assert code != 0 and "one.md:5: WARNING: there is no figure 'gains'" in said


# ------------------------------------------------------------------------------- what is drawn


@pytest.mark.parametrize("k", neighbors.KS)
def test_regions_of_neighbours_are_those_of_the_rule(k):
    figure = make("neighbors")
    _, X, y, *_ = neighbors.samples()
    share, agree = agreement(
        figure.panels[0], drawn(frame_of(figure, k)[1], "pos region"), KNearestNeighbors(k=k).fit(X, y).predict
    )
    assert agree and share > 0.5


def test_few_neighbours_overfit_and_many_underfit():
    readouts = [frame[0] for frame in make("neighbors").frames]
    train, test = np.array([re.findall(r"error (\d.\d+)", text) for text in readouts], dtype=float).T
    assert train[0] == 0 and 0 < test.argmin() < 5 and test[0] > test.min() < test[-1]


@pytest.mark.parametrize("pair", [(0.1, 30), (1, 1), (10, 1), (1000, 30), (100, 0.3)])
def test_the_street_is_that_of_the_machine(pair):
    figure = make("street")
    X, y, *_ = street.samples()
    model = SVM(pair[0], GaussianKernel(pair[1]), tol=1e-5).fit(X, y)
    readout, left, _ = frame_of(figure, *pair)
    share, agree = agreement(figure.panels[0], drawn(left, "pos region"), model.predict)
    assert agree and share > 0.5
    edges = pieces(drawn(left, "curve thin ink dashed"))
    places = np.concatenate([data(figure.panels[0], piece) for piece in edges])
    z, slope = model.decision_function(places), 1e-3
    gradient = np.column_stack([model.decision_function(places + slope * e) - z for e in np.eye(2)]) / slope
    near = np.linalg.norm(gradient, axis=1) * 0.04  # how much the score changes over a few units
    assert (np.abs(np.abs(z) - 1) < near + 0.02).all()
    (rings,) = pieces(left[-1].attributes["d"])
    assert set(map(tuple, rings)) == set(map(tuple, figure.panels[0].at(X[model.support_])))
    assert f"{len(model.support_)} of 80" in readout


def test_no_training_error_does_not_mean_the_same_test_error():
    text = [frame[0] for frame in make("street").frames]
    errors = {t.split("test error ")[1] for t in text if "training error 0.00" in t}
    assert len(errors) >= 3
    assert "66 of 80" in frame_of(make("street"), 1000, 30)[0]


def test_the_polynomials_are_least_squares():
    X, y = degree.sample()
    fits = [degree.polynomial(X, y, p) for p in degree.DEGREES]
    residuals = [y - h(X) for h in fits]
    for p, residual in enumerate(residuals):
        assert np.abs(residual @ np.vander(2 * X[:, 0] - 1, p + 1)).max() < 1e-8  # normal equations
    train, true = np.mean(np.square(residuals), axis=1), [degree.WAVE.risk(h) for h in fits]
    assert (np.diff(train) <= 1e-12).all() and train[-1] < 1e-12 and min(true) > degree.WAVE.bayes_risk
    assert np.argmin(true) == 3 and max(true[3:10]) < 0.2 and all(true[p + 1] > 3 * true[p] for p in range(9, 14))
    figure = make("degree")
    shown = data(figure.panels[0], pieces(drawn(frame_of(figure, 3)[1], "curve test"))[0])
    assert np.abs(shown[:, 1] - fits[3](shown[:, :1])).max() < 0.03


@pytest.mark.parametrize("tau", step_size.STEPS)
def test_the_path_takes_gradient_steps(tau):
    figure, f = make("step_size"), step_size.valley()
    readout, left, right = frame_of(figure, tau)
    assert np.isclose(np.linalg.eigvalsh(f.H), [step_size.MU, step_size.L]).all()
    (dots,) = pieces(left[-1].attributes["d"])
    path_ = data(figure.panels[0], dots)
    rounding = 2 * np.ptp(figure.panels[0].xlim) / 600
    step = path_[:-1] - tau * path_[:-1] @ f.H
    assert np.abs(path_[1:] - step)[:12].max() < 4 * rounding
    dashed, curve = drawn(right, "curve orange dashed"), pieces(drawn(right, "curve thin blue"))[0]
    assert bool(dashed) == (tau <= 1)
    if dashed:
        bound = pieces(dashed)[0]
        assert (np.interp(bound[:, 0], curve[:, 0], curve[:, 1]) > bound[:, 1]).all()  # lower on the page: smaller
    falls = curve[-1, 1] > curve[0, 1] + 20
    assert falls == (tau < 2) and ("converges" in readout) == (tau < 2) and ("swings" in readout) == (1 < tau < 2)


def test_the_fastest_step_is_the_best_one():
    figure = make("step_size")
    heights = [pieces(drawn(frame[2], "curve thin blue"))[0][-1, 1] for frame in figure.frames]
    assert step_size.STEPS[int(np.argmax(heights))] == step_size.BEST


def test_the_rounds_are_those_of_adaboost():
    X, y, *_ = rounds.samples()
    stumps, figure = [], make("rounds")
    for readout, left, _ in figure.frames:
        numbers = dict(re.findall(r"(ε|α|Z|training error|bound) (?:= )?(\d.\d+)", readout))
        epsilon, alpha, Z, error, bound = (float(numbers[key]) for key in ("ε", "α", "Z", "training error", "bound"))
        assert error <= bound + 0.005 and abs(Z - 2 * np.sqrt(epsilon * (1 - epsilon))) < 0.01
        assert abs(alpha - np.log((1 - epsilon) / epsilon) / 2) < 0.03
        weights = np.array([float(m.attributes["stroke-width"]) for m in left if m.attributes["class"] == "points"])
        wrong = np.array([m.attributes["visibility"] == "visible" for m in left if "visibility" in m.attributes])
        D = weights[: len(y)] ** 2 / len(y)
        assert abs(D.sum() - 1) < 0.05 and abs(D[wrong].sum() - epsilon) < 0.05
        stumps.append(drawn(left, "stump"))
    assert all(a != b for a, b in itertools.pairwise(stumps))


def test_the_race_of_the_perceptron():
    X, y = updates.sample()
    path_, u, rho, R = updates.race(X, y)
    figure, wrong = make("updates"), []
    assert len(figure.frames) == 14 and np.isclose((y * (X @ u)).min(), rho) and rho > 0
    for t, (readout, left, _) in enumerate(figure.frames, start=1):
        numbers = [float(number) for number in re.findall(r"= (\d\.\d+)", readout)]
        assert (
            numbers == sorted(numbers)
            and np.isclose(numbers, [rho * t, path_[t] @ u, np.linalg.norm(path_[t]), R * np.sqrt(t)], atol=0.006).all()
        )
        (ring,) = [mark for mark in left if "big" in mark.attributes["class"]]
        cause = (figure.panels[0].at(X) == pieces(ring.attributes["d"])[0][0]).all(axis=1).argmax()
        assert np.allclose(path_[t], path_[t - 1] + y[cause] * X[cause]) and y[cause] * (X[cause] @ path_[t - 1]) <= 0
        share, agree = agreement(figure.panels[0], drawn(left, "pos region"), lambda Z, t=t: np.sign(Z @ path_[t]))
        assert agree and share > 0.8
        wrong.append(int(re.search(r"(\d+) of 60 wrong", readout)[1]))
    assert wrong[-1] == 0 and sum(b > a for a, b in itertools.pairwise(wrong)) >= 4  # an update can undo another
    assert int((R / rho) ** 2) == 81  # as the page says


def test_the_cells_of_the_tree_cover_the_plane_once():
    figure = make("growth")
    panel, total = figure.panels[0], None
    for k, frame in enumerate(figure.frames, start=1):
        boxes = [piece for look in ("neg cells", "pos cells") for piece in pieces(drawn(frame[1], look))]
        area = sum(np.prod(np.ptp(box, axis=0)) for box in boxes)
        total = total or area
        assert len(boxes) == k and area == total == (panel.x1 - panel.x0) * (panel.y0 - panel.y1)


@pytest.mark.parametrize("k", [2, 5, 12, 28])
def test_the_cells_have_the_answers_of_the_tree(k):
    figure = make("growth")
    X, y, *_ = growth.samples()
    tree = growth.DecisionTree(max_leaves=k).fit(X, y)
    share, agree = agreement(figure.panels[0], drawn(frame_of(figure, k)[1], "pos cells"), tree.predict)
    assert agree and share > 0.5
    assert pieces(drawn(frame_of(figure, k)[1], "stump"))


def test_a_tree_gains_on_the_sample_with_every_leaf():
    tree = growth.DecisionTree().fit(*growth.samples()[:2]).tree_
    text = [frame[0] for frame in make("growth").frames]
    train, gini, test = np.array([re.findall(r"\d\.\d+", t) for t in text], dtype=float).T
    assert (np.diff(train) <= 0).all() and (np.diff(gini) <= 0).all() and train[-1] == gini[-1] == 0
    assert (tree.decrease[tree.left >= 0] > 0).all()
    assert (np.diff(train) == 0).sum() > 10 and test[3] <= test.min() + 0.01 and test[-1] > test[3]


FORMULAS = {
    "zero-one": lambda z: float(z <= 0),
    "squared margin": lambda z: (1 - z) ** 2,
    "hinge": lambda z: max(0.0, 1 - z),
    "exponential": lambda z: np.exp(-z),
    "logistic, base 2": lambda z: np.log2(1 + np.exp(-z)),
    "logistic": lambda z: np.log(1 + np.exp(-z)),
    "perceptron": lambda z: max(0.0, -z),
}


@pytest.mark.parametrize("z", losses.SCORES)
def test_the_table_of_losses(z):
    _, _, table = frame_of(make("losses"), z)
    words = [mark.text.replace("−", "-") for mark in table if mark.tag == "text"]
    names, numbers = words[3:10], words[10:]
    assert names == list(FORMULAS)
    for name, value, slope in zip(names, numbers[::2], numbers[1::2], strict=True):
        f, h = FORMULAS[name], 1e-6
        assert abs(float(value) - f(z)) < 0.0051
        if name != "zero-one":
            left, right = (f(z) - f(z - h)) / h, (f(z + h) - f(z)) / h
            assert left - 0.0051 <= float(slope) <= right + 0.0051  # a subgradient


@pytest.mark.parametrize("m", coins.SIZES)
def test_coins_agree_with_the_theorem(m):
    figure, drawn_suprema = make("coins"), coins.suprema(m)
    exact, error = coins.threshold_complexity(m), drawn_suprema.std() / np.sqrt(coins.DRAWS)
    assert abs(drawn_suprema.mean() - exact) < 4 * error and exact < coins.bound(m)
    boxes = pieces(drawn(frame_of(figure, m)[1], "pos bars"))
    panel = figure.panels[0]
    heights = sum(np.ptp(box[:, 1]) for box in boxes) / (panel.y0 - panel.y1) * panel.ylim[1]
    assert abs(heights - 1) < 0.03
    assert all(box[:, 1].min() >= panel.y1 for box in boxes)  # no bar is cut off
    ratio = coins.bound(m) / exact
    assert m not in (5, 1280) or round(ratio, 1) == {5: 1.5, 1280: 2.4}[m]
