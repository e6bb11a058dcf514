"""The benchmarks: every bar has a row on the page, the page says what was measured, and all of them run, tiny."""

import inspect
import json
import sys
import time
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1]))

from benchmarks import from_scratch, page  # noqa: E402
from benchmarks.bars import BARS, FROM_SCRATCH, PARTS, Bar  # noqa: E402
from benchmarks.harness import BENCHMARKS, Growth, Limit, Row, decoded, interleaved, load, race, run_apart, run_here  # noqa: E402

SIZES = ((40, 80), 5)
TINY = {  # sizes with which a benchmark takes no time; nobody looks at the ratios
    "perceptron.passes": {"m": 200, "n_passes": 3},
    "linear_models.logistic_regression": {"m": 400, "d": 4},
    "linear_models.regression": {"m": 400, "d": 4},
    "linear_models.discriminants": {"m": 900, "d": 8, "slack": 0.05},
    "model_selection.ridge": {"sizes": (100, 150), "d": 4},
    "model_selection.neighbors": {"sizes": (80, 80), "most": 4},
    "nearest_neighbors.queries": {"m": 300, "n": 50},
    "trees.normal_features": {"sizes": (100, 200)},
    "trees.tied_features": {"m": 200},
    "kernels.gram_matrices": {"m": 50},
    "kernels.ridge": {"sizes": (50, 60, 70)},
    "kernels.leave_one_out": {"m": 12},
    "kernels.perceptron": {"m": 60, "d": 4},
    "svm.gaussian_kernel": {"sizes": (60, 80)},
    "svm.memory": {"m": 200},
    "svm.pegasos": {"m": 5000, "slack": 1.0},
    "ensembles.adaboost": {"m": 300, "n_rounds": 5},
    "ensembles.forest": {"m": 200, "n_trees": 5, "slack": 0.2},
    "ensembles.two_workers": {"m": 100, "n_trees": 4, "repeats": 1},
    "ensembles.regression_forest": {"m": 200, "n_trees": 5, "slack": 0.5},
    "ensembles.bagging": {"m": 200, "n_trees": 3, "slack": 0.2},
    "networks.mlp": {"epochs": 3, "seeds": 1, "slack": 0.5},
    "networks.convolutional": {"wanted": 0.5, "max_epochs": 1},
    "complexity.linear_class": {"m": 50, "d": 3, "n": 5},
    "complexity.stumps": {"m": 40, "d": 2, "n": 5},
    "complexity.thresholds": {"m": 50, "n": 5},
    "from_scratch.perceptron": {"m": 100},
    "from_scratch.adaline": {"m": 200},
    "from_scratch.least_squares": {"m": 200, "d": 4},
    "from_scratch.logistic_regression": {"m": 300, "d": 3},
    "from_scratch.mlp": {"epochs": 5, "seeds": 1, "slack": 0.5},
    "growth.neighbors": {"n": 10, "m": (50, 100), "d": (5, 10)},
    "growth.forest": {"m": SIZES, "n_trees": 2},
    "growth.machine": {"m": SIZES},
    "growth.kernel_ridge": {"m": SIZES},
    "limits.second_moments": {"cases": ((200, 5),)},
    "limits.kernel_ridge": {"m": 100},
    "limits.neighbors": {"m": 200, "n": 50},
    "limits.network": {"epochs": 1},
    "limits.scan": {"m": 500, "d": 5},
    "limits.logistic": {"m": 500, "d": 5},
    "limits.boosting": {"m": 200, "rounds": 3},
} | {
    f"growth.{name}": {"m": SIZES, "d": ((5, 10), 40)}
    for name in ("scanning", "ridge", "logistic", "discriminant", "tree", "adaboost", "network")
}  # fmt: skip


@pytest.fixture
def hasty(monkeypatch):
    """No run is repeated for long, and the yardsticks are short."""
    monkeypatch.setattr("benchmarks.harness.SECONDS", 0.0)
    monkeypatch.setattr("benchmarks.limits.product", lambda: (lambda: np.ones((9, 9)) @ np.ones((9, 9)), 1.0))
    monkeypatch.setattr("benchmarks.limits.reading", lambda: (lambda: np.ones(9) @ np.ones(9), 1.0))


def results():
    return json.loads(page.RESULTS.read_text("utf8"))


def test_the_page_says_what_was_measured():
    text = page.PAGE.read_text("utf8")
    assert page.filled(text, results()) == text, "run python -m benchmarks --write"


def test_the_page_follows_the_numbers():
    text, changed = page.PAGE.read_text("utf8"), results()
    changed["rows"][0]["ours"] *= 1000
    assert page.filled(text, changed) != text


def test_every_bar_has_a_row_and_every_row_a_bar():
    keys = [row["key"] for row in results()["rows"]]
    expected = set(BARS) - (set() if results()["machine"]["mlxtend"] else {bar.key for bar in FROM_SCRATCH.bars})
    assert len(keys) == len(set(keys))
    assert set(keys) == expected
    text = page.PAGE.read_text("utf8")
    for part in PARTS:
        assert f"### {part.title}\n" in text
        for bar in part.bars:
            assert f"| {bar.task}" in text, bar.key


def test_keys_and_tasks_are_told_apart():
    bars = [bar for part in (*PARTS, FROM_SCRATCH) for bar in part.bars]
    assert len(bars) == len(BARS)
    assert all(bar.limit is None or bar.limit > 0 for bar in bars)


@pytest.mark.parametrize(
    ("bar", "good", "bad"),
    [(Bar("a", "", 0.5), 0.5, 0.51), (Bar("b", "", 1.7, at_least=True), 1.7, 1.69), (Bar("c", "", None), 99, None)],
)
def test_a_bar_is_met_or_missed(bar, good, bad):
    assert bar.met(good)
    assert bad is None or not bar.met(bad)
    assert "**missed**" not in page.bar_text(bar, Row("", good, None, ""))
    assert bad is None or "**missed**" in page.bar_text(bar, Row("", bad, None, ""))


def test_a_missed_bar_is_said_with_its_reason():
    found = results()
    row = next(row for row in found["rows"] if row["key"] == "perceptron-1")
    row["ours"] = 1000 * row["theirs"]
    text = page.verdict(found)
    assert "perceptron, 10⁶ presentations, m = 10⁴, d = 30, separable, 1 %" in text
    assert "1000 instead of 8: between two mistakes" in text


def test_the_clock(hasty):
    def wait():
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass

    calls = []
    long, short = interleaved(wait, lambda: calls.append(1), repeats=3)
    assert 0.02 <= long < 0.2 and short < 0.01 and len(calls) == 3
    row = race("key", wait, wait, "equal", repeats=2)
    assert 0.2 < row.value < 5 and row.quality == "equal"
    assert Row("key", 3.0, None, "").value == 3.0


def test_slopes_and_fractions():
    assert np.isclose(Growth("", "m", [10, 20, 40], [1.0, 8.0, 64.0], "").exponent, 3.0)
    assert np.isclose(Limit("", "GB/s", "", work=5.0, seconds=2.0, peak=10.0).fraction, 0.25)


def test_a_process_of_its_own(monkeypatch):
    monkeypatch.chdir(page.ROOT)
    (found,) = run_apart("networks.convolutional")
    assert found.key == "cnn" and found.theirs is None and 0 < found.value
    with pytest.raises(RuntimeError, match="nothing.of_the_kind failed"):
        run_apart("nothing.of_the_kind")
    assert decoded("Row", {"key": "k", "ours": 1.0, "theirs": 2.0, "quality": ""}).value == 0.5


@pytest.mark.parametrize("name", list(load()))
def test_every_benchmark_runs(name, hasty):
    assert set(TINY[name]) <= set(inspect.signature(BENCHMARKS[name]).parameters) or name == "networks.convolutional"
    found = list(run_here(name, **TINY[name]))
    assert found
    for item in found:
        assert isinstance(item, (Row, Growth, Limit))
        if isinstance(item, Row):
            assert item.key in BARS and item.quality and item.value >= 0


def test_every_benchmark_is_listed():
    peers = {name for name in TINY if name.startswith("from_scratch")}
    assert set(load()) == set(TINY) - (set() if from_scratch.INSTALLED else peers)
