"""Arguments are checked at the door, once: scans of the sample are counted, and warnings blame the user's line."""

import ast
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import mlcourse
from mlcourse.arguments import arrays
from mlcourse.arguments.errors import DataConversionWarning, SeparableWarning, SingularCovarianceWarning
from mlcourse.base import Estimator

PUBLIC = [getattr(mlcourse, name) for name in mlcourse.__all__]
ESTIMATORS = [thing for thing in PUBLIC if issubclass(thing, Estimator)]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
y = np.where(X[:, 0] + 0.3 * RNG.normal(size=40) > 0, 1, -1)


@pytest.fixture
def scans(monkeypatch):
    """The shapes of the matrices that were looked through for NaN and infinity."""
    seen, look = [], arrays._finite_floats

    def counting(name, array, copy=True):
        if np.ndim(array) == 2:
            seen.append(array.shape)
        return look(name, array, copy)

    monkeypatch.setattr(arrays, "_finite_floats", counting)
    return seen


@pytest.mark.parametrize("make", ESTIMATORS, ids=lambda make: make.__name__)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_fit_and_predict_look_through_the_sample_once(make, scans):
    model = make()
    if "n_estimators" in model.get_params():  # every bag is a new array, which its base looks through
        model.set_params(n_estimators=1)
    bags = int("base" in model.get_params() and "n_estimators" in model.get_params())
    model.fit(X, y)
    assert scans.count(X.shape) == len(scans) <= 1 + bags
    scans.clear()
    (model.predict if hasattr(model, "predict") else model.transform)(X)
    assert len(scans) <= 1


CAUSES = {
    DataConversionWarning: lambda: mlcourse.Perceptron().fit(X, y[:, None]),
    SeparableWarning: lambda: mlcourse.LogisticRegression().fit(X, np.where(X[:, 0] > 0, 1, -1)),
    SingularCovarianceWarning: lambda: mlcourse.GaussianDiscriminant().fit(np.ones((40, 2)), y),
}


@pytest.mark.parametrize("kind", CAUSES, ids=lambda kind: kind.__name__)
def test_a_warning_blames_the_line_outside_the_package(kind):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CAUSES[kind]()
    assert [w.filename for w in caught if w.category is kind] == [__file__]


def test_a_function_inside_trusts_its_caller_and_outside_does_not(scans):
    mlcourse.models.linear.perceptron.perceptron(X, y, [None])
    assert len(scans) == 1
    with pytest.raises(ValueError, match="X must be finite"):
        mlcourse.models.linear.perceptron.perceptron(np.full((4, 2), np.nan), y[:4], [None])
    mlcourse.Perceptron().fit(X, y)
    with pytest.raises(ValueError, match="X must be finite"):  # the door is shut again
        mlcourse.Perceptron().fit(np.full((4, 2), np.nan), [0, 1, 0, 1])


# ------------------------------------------------------------------------------- the front door


def test_a_checker_sees_the_same_front_door():
    tree = ast.parse(Path(mlcourse.__file__).read_text("utf8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {part.module.removeprefix("mlcourse."): [a.name for a in part.names] for part in block.body}
    assert seen == mlcourse._HOMES


def test_the_front_door_opens_without_scipy_and_to_known_names_only():
    code = (
        "import sys, mlcourse; assert 'scipy' not in sys.modules and {*mlcourse.__all__, 'theory'} <= {*dir(mlcourse)}"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert type(pickle.loads(pickle.dumps(mlcourse.SVM(C=2.0)))) is mlcourse.SVM
    assert mlcourse.theory.novikoff(1, 1) == 1
    with pytest.raises(AttributeError, match="'mlcourse' has no attribute 'Perceptronn'"):
        _ = mlcourse.Perceptronn
