"""Every public callable, given nonsense for any of its arguments: a clear error or a right answer, never a warning.

Public is what a reader would call: the front door, what the rooms list in ``__all__``, and every name that a page
imports; of a class also its methods. A right call is derived from the kinds of the arguments (``Points``, ``Signs``)
and from their names, which mean one thing each; a short table holds what neither says. Each right argument is then
replaced by nonsense, one at a time. A new public name for which no right call can be derived fails here.

An error is clear if the package raised it itself, as ``ValueError`` or ``TypeError``: then somebody has written its
message. What NumPy says of shapes that do not fit is not a message to a reader. The right arrays are read-only, so
that whoever writes into an argument is caught, too.
"""

import ast
import functools
import importlib
import inspect
import itertools
import json
import linecache
import pickle
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mlcourse
from mlcourse import data, evaluation, losses, theory
from mlcourse.arguments import kinds
from mlcourse.base import Estimator
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.networks import layers
from mlcourse.models.networks.word2vec import Word2Vec
from mlcourse.models.trees import predictor
from mlcourse.optim.objective import LinearRisk, Quadratic

pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore::mlcourse.arguments.errors.SeparableWarning"),  # what the models say, rightly,
    pytest.mark.filterwarnings("ignore::mlcourse.arguments.errors.SingularCovarianceWarning"),  # of strange samples
    pytest.mark.filterwarnings("ignore::mlcourse.arguments.errors.DataConversionWarning"),
]

# --- right arguments -------------------------------------------------------------------------------------
# Whole numbers throughout: they are the same as floats of any size, as integers, in lists and in tables.


def fixed(values, kind=float):
    """The values as an array that nobody may write into."""
    array = np.array(values, dtype=kind)
    array.flags.writeable = False
    return array


X = fixed([[0, 0], [1, 0], [0, 1], [2, 1], [1, 3], [3, 2], [2, 4], [4, 1]])
y = fixed([-1, -1, -1, 1, -1, 1, 1, 1], int)
t = fixed([0, 1, 3, 2, 5, 4, 7, 6])
K = fixed(X @ X.T + np.eye(8))
H = fixed([[2, 1], [1, 2]])
w = fixed([1, 2])
EVEN, ODD = np.arange(0, 8, 2), np.arange(1, 8, 2)
TEXTS = ["the cat sat", "the dog sat down", "a cat and a dog"]
SETS = [{1, 2}, {2, 3}, {3}]
ON_THE_LINE = fixed([[0], [1]])
LAWS_ON_THE_LINE = ("StepPosterior", "NoisyThreshold", "LipschitzPosterior")
QUADRATIC = Quadratic(H, w)
KERNEL = mlcourse.GaussianKernel(0.5)
NEAREST = mlcourse.KNearestNeighbors(k=1)
RULES = [mlcourse.DecisionStump().fit(X, y), mlcourse.KNearestNeighbors(k=3).fit(X, y)]
TREE = predictor.Node(predictor.Threshold(0, 0.5), (predictor.Leaf(-1), predictor.Leaf(1)))


def weak_learner(D):
    return "stump", np.where(X[:, 0] > 1.5, 1, -1)


def gradient(w, rows=None):
    return 2 * w


def parabola(tau):
    return (tau - 1.0) ** 2, 2 * (tau - 1.0)


def vote(X):
    return np.where(X[:, 0] > 0.5, 1, -1)


def metadata(kind):
    return kind.__metadata__[0]


BY_KIND = {
    metadata(kind): value
    for kind, value in [
        *[(kinds.Points, X), (kinds.Matrix, H), (kinds.SquareMatrix, H), (kinds.Gram, K), (kinds.Vector, w)],
        *[(kinds.Targets, t), (kinds.Signs, y), (kinds.Labels, fixed((y + 1) // 2, int)), (kinds.Number, 1.0)],
        *[(kinds.RuleValues, fixed(np.column_stack([y, np.ones(8)]))), (kinds.Positive, 0.5), (kinds.Fraction, 0.25)],
        *[(kinds.NonNegative, 0.5), (kinds.Decay, 0.5), (kinds.Decays, (0.5, 0.75)), (kinds.Count, 2), (kinds.Size, 2)],
        *[(kinds.Flag, True), (kinds.Seed, 0), (kinds.Steps, 0.25), (kinds.Draws, [0, 3, 1])],
        *[(kinds.Batches, [np.array([0, 1]), np.array([2])]), (kinds.Sentences, [[0, 1, 2], [1, 2]])],
        *[(kinds.Orders, [None, None]), (kinds.Rounds, [QUADRATIC, QUADRATIC]), (kinds.Learner, NEAREST)],
        *[(kinds.Objective, QUADRATIC), (kinds.Fitted, RULES[0]), (kinds.Tunable, NEAREST)],
        *[(kinds.SmoothLoss, losses.logistic), (kinds.StochasticRisk, LinearRisk(losses.logistic, X, y, 0.5, True))],
    ]
}
BY_NAME = {
    **{"X": X, "Z": X + 1, "new": X + 1, "y": y, "y_hat": fixed(-y, int), "z": t - 3, "score": t, "v": w},
    **{"eta": fixed(np.full(8, 0.25)), "weights": t + 1, "sample_weight": t + 1, "groups": y, "predictions": y},
    **{"P": fixed([[0.25, 0.25], [0.125, 0.375]]), "codes": fixed([[0, 1], [1, 0]]), "risks": fixed([[1, 2], [0, 1]])},
    **{"m": 8, "n": 2, "d": 2, "k": 1, "ks": [1, 2], "sizes": [4], "L": 2, "M": 1, "N": 3},
    **{"n_folds": 2, "n_leaves": 2, "n_repeats": 2, "n_inner": 2, "n_classes": 2, "cache_size": 1.0},
    **{"noise": 0.25, "theta": 0.5, "rho": 0.25, "q": 0.25, "c": 1.0, "c_fp": 1.0, "c_fn": 2.0, "R": 1.0, "sigma": 0.5},
    **{"prior": 0.5, "bias": True, "lam": fixed([0.5, 1]), "gamma": 0.5, "a": 0.5, "steepness": 2.0, "positive": 1},
    **{"rng": 0, "random_state": 0, "one_hot": False, "deep": True, "feature": 0, "low": 0.0, "high": 1.0},
    **{"mu_plus": w, "mu_minus": fixed(-w), "covariance": fixed(np.eye(2)), "labels": fixed([-1, 1], int)},
    **{"model": NEAREST, "candidates": [{"k": 1}, {"k": 2}], "folds": [(EVEN, ODD), (ODD, EVEN)], "rules": RULES},
    **{"loss": losses.zero_one, "rule": evaluation.least_risk, "phi": parabola, "gradient": gradient, "f": np.sin},
    **{"weak_learner": weak_learner, "h": vote, "reply": gradient, "risk": np.sum, "value": np.sum},
    **{"kernel": KERNEL, "kernels": [mlcourse.LinearKernel(), KERNEL], "grams": [K, fixed(K + np.eye(8))]},
    **{"tree": TREE, "x": w, "nested": (0, -1, 1), "label": 1, "names": ["a", "b"], "test": TREE.test, "degree": 2},
    **{"path": [w, H[0]], "losses": [QUADRATIC, QUADRATIC], "batches": [np.array([0, 1])], "other": KERNEL},
    **{"iterates": [w, H[0]], "activation": layers.relu, "function": np.dot, "hidden": (2,), "categorical": ()},
    **{"children": (predictor.Leaf(1), predictor.Leaf(-1)), "word": "cat", "without": ("cat",), "p": 2},
    **{"graph": {"c": {"a": 1.0, "b": 2.0}}, "inputs": {"a": 1.0, "b": 2.0}, "points": X, "coefficients": t},
    **{"breaks": fixed([0.5]), "levels": fixed([0.25, 0.75]), "shape": (3, 4), "parts": [EVEN, ODD], "number": 2.0},
}
SQUARE_RISKS = ("bayes_prediction", "conditional_bayes_risk", "best_comparator", "rounds")
SPECIAL = {  # what neither the kinds nor the names say
    "FiniteLaw": {"points": ON_THE_LINE},
    "FiniteLaw.risk": {"h_values": fixed([1, -1])},
    **dict.fromkeys(["FiniteLaw.bayes_predictor", "FiniteLaw.bayes_risk"], {"predictions": fixed([-1, 1])}),
    "SeparableMargin": {"w": w, "bias": 0.25, "rho": 0.25, "R": 1.0},
    "GaussianPair.risk_of_linear": {"w": w},
    **{f"{law}.eta": {"X": ON_THE_LINE} for law in LAWS_ON_THE_LINE},
    **{f"{law}.bayes_predict": {"X": ON_THE_LINE} for law in LAWS_ON_THE_LINE},
    "NoisyFunction.regression_function": {"X": ON_THE_LINE},
    "LogLoss.__call__": {"y_hat": fixed(t > 2)},
    "LogLoss.derivative": {"y_hat": fixed((t + 1) / 16)},
    "Values": {"values": (1, 2)},
    "nested_cross_validation": {"folds": evaluation.k_fold(8, 2, 3)},
    "gaussian_log_density": {"L": fixed([[1, 0], [1, 2]])},
    "smo": {"D": fixed(2 - 2 * KERNEL(X) + np.eye(8)), "beta": None, "g": None},
    "dual_ascent": {"diagonal": fixed(np.diag(K))},
    "grid": {"k": [1, 2]},
    "pretrained_layers": {"max_epochs": 1, "random_state": 0},
    "backpropagate": {"loss": lambda value: (value**2, 2 * value)},
    "boolean_network": {"y": fixed([-1, 1, 1, -1])},
    **dict.fromkeys(SQUARE_RISKS, {"loss": losses.square}),
    **dict.fromkeys(["interpolating_network", "staircase_network"], {"x": fixed([0, 1, 3]), "y": fixed([1, 2, 0])}),
    "OptimalTree": {"X": fixed(X > 1, bool)},
    "coordinate_descent": {"y": fixed(-y, int)},
    **{"SpectrumKernel.__call__": {"X": TEXTS, "Z": TEXTS}, "SpectrumKernel.diagonal": {"X": TEXTS}},
    **{"IntersectionKernel.__call__": {"X": SETS, "Z": SETS}, "IntersectionKernel.diagonal": {"X": SETS}},
    **{f"RKHSFunction.{method}": {"other": RKHSFunction(X, t, KERNEL)} for method in ("inner", "__add__")},
}

# --- every public callable, with a right call -----------------------------------------------------------

ROOMS = (mlcourse, data, losses, evaluation)
BUILDING_BLOCKS = {  # imported by pages, and not checked at every call
    "a layer or a network runs for every batch of every pass; the estimators check": [
        *["models.networks.layers", "models.networks.network", "models.networks.training"],
        *["models.networks.mlp.mlp_layers", "models.networks.convolution.convolutional_layers"],
        *["models.networks.word2vec.WordRisk", "models.networks.constructed.constructed"],
    ],
    "asked at every step of a descent, with what the descent made": [
        *["optim.gradient.newton", "optim.line_search.armijo", "optim.line_search.curvature", "optim.online.in_ball"],
        "models.kernels.dual_ascent.dual_box",
    ],
    "works on counts and labels that a rule has encoded": [
        *["models.trees.criteria.gini", "models.local.nearest_neighbors.winners"]
    ],
    "an assertion, which fails by AssertionError": ["testing"],
    "a base class, or a record without checks": [
        *["base.BinaryClassifier", "data.law.BinaryLaw", "data.real.Dataset", "models.trees.predictor.Leaf"],
        *["evaluation.cross_validation.CrossValidation", "evaluation.model_selection.Search"],
        *["losses._base.Loss", "losses._base.MarginLoss"],
    ],
}
PASSED_ON = {  # arguments that are handed on as they are, and why their nonsense is not ours
    *[("early_stopping", "iterates"), ("grid", "k")],  # whatever the given risk can judge; values of any kind
    *[("FiniteLaw", "points"), ("dnf", "label")],  # names of points, of any kind
    *[("adaboost", "y"), ("regularised_boosting", "y")],  # as long as the votes that the weak learner returns
    *[("CallableKernel.__call__", "X"), ("CallableKernel.__call__", "Z"), ("CallableKernel.diagonal", "X")],
    ("CallableKernel", "function"),  # stored, and checked when it is called
}
TREE_FILES = ("mlcourse.models.trees.predictor", "mlcourse.models.trees.conditions")
INNER = ("mlcourse.optim", *TREE_FILES)  # descents and trees call these methods, not readers
NEEDS = {"derivative": "_slope", "curvature": "_curvature"}  # not every loss has them


def imported_by_pages():
    """Every (module, name) that a page imports from the package."""
    for page in sorted((Path(__file__).parents[1] / "book").rglob("*.ipynb")):
        for cell in json.loads(page.read_text("utf8"))["cells"]:
            if cell["cell_type"] == "code":
                lines = "".join(cell["source"]).splitlines()
                for node in ast.walk(ast.parse("\n".join(line for line in lines if line[:1] not in "%!"))):
                    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mlcourse."):
                        yield from ((node.module, alias.name) for alias in node.names)


def public_things():
    """The public callables but the promises of theory, the plots and the building blocks."""
    blocks = [f"mlcourse.{name}" for names in BUILDING_BLOCKS.values() for name in names]
    for module, name in {(room.__name__, name) for room in ROOMS for name in room.__all__} | set(imported_by_pages()):
        thing = getattr(importlib.import_module(module), name, None)
        home = getattr(thing, "__module__", module)
        block = home in blocks or f"{home}.{name}" in blocks
        if callable(thing) and not block and not home.startswith(("mlcourse.theory", "mlcourse.plots")):
            yield name, thing


def right_arguments(name, function, known=BY_NAME):
    """Right arguments for the function: the table's, else by kind, else by name; a default will do, too."""
    right = dict(SPECIAL.get(name, {}))
    for parameter in inspect.signature(function).parameters.values():
        kind = kinds._kind(parameter.annotation)
        if parameter.name in right or parameter.kind is parameter.VAR_KEYWORD:
            continue
        if kind in BY_KIND and known is BY_NAME:
            right[parameter.name] = BY_KIND[kind]
        elif parameter.name in known:
            right[parameter.name] = known[parameter.name]
        elif parameter.default is parameter.empty:
            raise LookupError(f"no right value of {parameter.name} is known for {name}: give one in the tables above")
    return right | ({"max_iter": 5} if hasattr(function, "iterates") else {})


def methods(thing):
    """The public methods of a class, by name, and the operators that readers use."""
    for name in dir(thing):
        operator = name in ("__call__", "__add__", "__mul__")
        if (operator or not name.startswith("_")) and name not in ("get_params", "set_params"):
            if isinstance(getattr(thing, name), types.FunctionType):
                yield name


def public_calls():
    """Every (name, callable) that is no estimator, with the methods of what classes make."""
    for name, thing in sorted(public_things(), key=lambda pair: pair[0]):
        if isinstance(thing, types.FunctionType):
            yield name, thing
            continue
        if isinstance(thing, type) and issubclass(thing, Estimator):
            continue
        if isinstance(thing, type):
            yield name, thing
            try:
                thing = thing(**right_arguments(name, thing))
            except (LookupError, ValueError, TypeError):
                continue  # the test of its name will say why
        if not type(thing).__module__.startswith(INNER):
            for method in methods(type(thing)):
                if hasattr(thing, NEEDS.get(method, "__class__")):
                    yield f"{type(thing).__name__}.{method}", getattr(thing, method)


CALLS = dict(public_calls())
every_call = pytest.mark.parametrize("name", CALLS)

# --- nonsense ------------------------------------------------------------------------------------------

NONSENSE = [
    *[None, "abc", np.nan, np.inf, -1, 0, True, 2.5, 1e200, 1e-320, 10**400, 1j, object(), {}, [], [None]],
    *[["a", "b"], [[1], [1, 2]], [np.nan, 1.0], np.zeros((0, 2)), np.full((3, 3), np.nan), np.zeros((2, 2, 2))],
    *[np.array(["2020"], dtype="M8[Y]"), np.array([None, 1.0]), pd.DataFrame(), range(3)],
]


def spoiled(value):
    """The array with something wrong: an entry, the scale, the shape, the kind."""
    for bad in (np.nan, np.inf, 1e308, 0.5, -7):
        changed = value.astype(float)
        changed.flat[value.size // 2] = bad
        yield changed
    yield from (value * factor for factor in (0.0, -1.0, 1e200, 1e-200))
    yield from (value[:-1], value[:1], value[:0], value[None], value[..., None], value[..., :-1], value.ravel())
    yield from (value.astype(str), value + 1j, np.where(np.arange(value.size).reshape(value.shape) == 1, None, value))


def nonsense(value):
    """Strange values of any kind, and what is almost the right one."""
    yield from NONSENSE
    yield iter([1, 2])
    if isinstance(value, np.ndarray):
        yield from spoiled(value)
    if isinstance(value, (list, tuple)) and value:
        for part in (*NONSENSE, *(spoiled(value[0]) if isinstance(value[0], np.ndarray) else ())):
            yield [*value[:-1], part]


def in_other_clothes(value):
    """The same value as another type."""
    if isinstance(value, np.ndarray) and value.ndim:
        yield from (value.tolist(), np.asfortranarray(value), np.repeat(value, 2, axis=0)[::2], value.astype(object))
        yield pd.Series(value, index=np.arange(len(value)) + 5) if value.ndim == 1 else pd.DataFrame(value)
        others = (np.float32, np.int64, np.int8, ">f8", np.longdouble) if value.dtype.kind in "if" else ()
        yield from (value.astype(kind) for kind in others if (value.astype(kind) == value).all())
    elif isinstance(value, bool):
        yield np.bool_(value)
    elif isinstance(value, (int, float)):
        yield from (
            kind(value) for kind in ((np.int64, np.int8) if isinstance(value, int) else (np.float32, np.longdouble))
        )
    elif isinstance(value, (list, tuple)):
        yield tuple(value) if isinstance(value, list) else list(value)


# --- what came out --------------------------------------------------------------------------------------


def leaves(thing, depth=0):
    """The arrays that an answer consists of, however deep."""
    if isinstance(thing, (np.ndarray, np.generic, int, float, pd.DataFrame, pd.Series)):
        yield np.asarray(thing)
    elif isinstance(thing, dict):
        yield from (leaf for part in thing.values() for leaf in leaves(part, depth))
    elif isinstance(thing, (list, tuple, types.GeneratorType)):
        yield from (leaf for part in itertools.islice(thing, 1000) for leaf in leaves(part, depth))
    elif hasattr(thing, "__dict__") and not inspect.isroutine(thing) and depth < 8:
        yield from leaves(vars(thing), depth + 1)


def has_nan(answer):
    return any(leaf.dtype.kind == "f" and np.isnan(leaf).any() for leaf in leaves(answer))


def assert_same(one, other):
    for a, b in zip(leaves(one), leaves(other), strict=True):
        if a.dtype.kind in "biuf" and b.dtype.kind in "biuf":
            np.testing.assert_allclose(a.astype(float), b.astype(float), rtol=1e-9, atol=1e-12)
        elif "O" not in (a.dtype.kind, b.dtype.kind):
            np.testing.assert_array_equal(a, b)


def ours(error):
    """Whether a statement ``raise`` of the package made the error: then somebody has written its message."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = Path(trace.tb_frame.f_code.co_filename)
    line = linecache.getline(str(file), trace.tb_lineno).strip()
    return Path(mlcourse.__file__).parent in file.parents and line.startswith("raise ")


def attempt(call, *about):
    """(whether the call was refused, in our words, what it returned)."""
    try:
        return False, call()
    except (ValueError, TypeError) as error:
        if ours(error) or "could not be broadcast" in str(error):
            return True, None
        raise AssertionError(*about, f"NumPy or Python says {type(error).__name__}: {error}") from error


# --- functions, laws, losses, kernels --------------------------------------------------------------------


@every_call
def test_nonsense_is_refused_clearly_or_answered(name):
    function, right = CALLS[name], right_arguments(name, CALLS[name])
    assert not has_nan(function(**right)), "the right call is not right"
    pointwise = isinstance(getattr(function, "__self__", None), (losses.Loss, losses.MarginLoss))  # of NaN it is NaN
    for argument in [argument for argument in right if (name, argument) not in PASSED_ON]:
        for bad in nonsense(right[argument]):
            refused, answer = attempt(functools.partial(function, **right | {argument: bad}), argument, bad)
            assert refused or pointwise or not has_nan(answer), (argument, bad, answer)
    assert not NEAREST.__sklearn_is_fitted__(), "the given model itself was fitted, instead of a copy"


@every_call
def test_the_same_in_other_clothes_gives_the_same_answer(name):
    function, right = CALLS[name], right_arguments(name, CALLS[name])
    expected = list(leaves(function(**right)))
    for argument, value in right.items():
        for other in in_other_clothes(value):
            if name.startswith("CallableKernel") and getattr(other, "dtype", "") == "O":
                continue  # points of another kind
            if name != "from_boolean":  # a node is a tuple
                assert_same(expected, function(**right | {argument: other}))


# --- estimators ------------------------------------------------------------------------------------------

ESTIMATORS = sorted(
    {thing for _, thing in public_things() if isinstance(thing, type) and issubclass(thing, Estimator)},
    key=lambda cls: cls.__name__,
)
QUICK = {  # parameters that make an estimator quick, and fit for the sample
    **{"max_epochs": 2, "n_trees": 3, "n_estimators": 3, "n_rounds": 3, "n_steps": 20, "max_iter": 20, "batch": 4},
    **{"k": 1, "d": 2, "hidden": (2,), "filters": (2,), "shape": (2, 1), "size": 1, "pool": 1, "n_folds": 2},
    **{"random_state": 0, "bandwidth": 2.0, "candidates": [{"k": 1}, {"k": 2}]},
}
METHODS = [(cls, name) for cls in ESTIMATORS for name in methods(cls)]
WORDS = BY_NAME | {"X": TEXTS, "a": "cat", "b": "dog", "c": "sat"}
every_estimator = pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)


def estimator(cls):
    chosen = {name: QUICK[name] for name in inspect.signature(cls).parameters if name in QUICK}
    if cls is evaluation.Tuned:
        chosen["model"] = NEAREST
    return cls(**chosen)


def sample(cls, method="fit"):
    """Right arguments for a method of the estimator."""
    known = WORDS if issubclass(cls, data.TfEncoder) or cls is Word2Vec else BY_NAME
    return right_arguments(f"{cls.__name__}.{method}", functools.partial(getattr(cls, method), None), known)


def attempt_on(model, call, *about):
    """The same as ``attempt``; a refusal must leave the model as it was."""
    before = pickle.dumps(vars(model))
    refused, answer = attempt(call, *about)
    assert not refused or pickle.dumps(vars(model)) == before, (*about, "the refusal left something behind")
    return refused, answer


@every_estimator
def test_nonsense_for_a_parameter_is_refused_or_learned_with(cls):
    for name in inspect.signature(cls).parameters:
        for bad in NONSENSE:
            model = estimator(cls)
            setattr(model, name, bad)
            refused, fitted = attempt_on(model, lambda model=model: model.fit(**sample(cls)), name, bad)
            if not refused and hasattr(fitted, "predict"):
                refused, predicted = attempt_on(model, lambda model=model: model.predict(X), name, bad)
                assert refused or not has_nan(predicted), (name, bad)


@pytest.mark.parametrize("cls, method", METHODS, ids=lambda part: getattr(part, "__name__", part))
def test_nonsense_for_a_fitted_model_is_refused_or_answered(cls, method):
    fitted, right = pickle.dumps(estimator(cls).fit(**sample(cls))), sample(cls, method)
    for argument in right:
        for bad in nonsense(right[argument]):
            model = pickle.loads(fitted)
            call = functools.partial(getattr(model, method), **right | {argument: bad})
            refused, answer = attempt_on(model, call, argument, bad)
            if not isinstance(answer, Estimator) and method != "out_of_bag":  # what every member saw has no answer
                assert refused or not has_nan(answer), (argument, bad)


@every_estimator
def test_a_refused_sample_leaves_an_unfitted_model_unfitted(cls):
    for bad in (None, [], np.full((8, 2), np.nan), "abc", 3):
        model = estimator(cls)
        refused, _ = attempt_on(model, lambda model=model, bad=bad: model.fit(**sample(cls) | {"X": bad}))
        assert refused and not any(name.endswith("_") for name in vars(model))


# --- promises --------------------------------------------------------------------------------------------

NUMBERS = {  # right arguments of a promise, by their names
    **{"m": 10, "n": 5, "d": 3, "T": 10, "k": 5, "N": 6, "M": 2, "V": 2, "L": 2.0, "K": 3, "degree": 3, "bits": 3},
    **{"n_hypotheses": 5, "n_candidates": 3, "n_weights": 5, "n_vectors": 3, "n_draws": 3, "n_folds": 5, "n_blocks": 4},
    **{"delta": 0.1, "epsilon": 0.1, "edge": 0.1, "rho": 0.2, "p": 0.3, "q": 0.2, "error": 0.2, "errors": 2},
    **{"R": 1.0, "B": 1.0, "U": 1.0, "G": 2.0, "C": 2.0, "H": 3.0, "width": 1.0, "norm": 2.0, "trace": 2.0, "r": 1.0},
    **{"lam": 0.5, "mu": 0.5, "tau": 0.25, "t": 7, "c": 0.5, "c1": 0.1, "c2": 0.4, "gamma": 0.5, "tol": 0.01, "s": 0.5},
    **{"decrease": 1.5, "distance": 1.5, "sigma": 1.0, "variance": 1.0, "within": 0.1, "between": 0.1, "gap": 0.1},
    **{"bayes_risk": 0.1, "regret": 2.0, "complexity": 0.1, "excess": 0.2, "diagonal": 1.0, "mean": 1.0, "noise": 0.4},
    **{"a": 0.5, "gain": 2.0, "gain_out": 1.0, "w": 0.2, "slopes": [0.25, 0.25], "norms": [2.0, 3.0], "x": [1.0, 2, 3]},
    **{"widths": [1.0, 2.0], "lengths": [1, 2, 2], "words": ["0", "10"], "tree": (0, -1, 1), "y": [1, -1]},
    **{"values": [[1, -1], [1, 1]], "X": [[0, 1], [1, 1]], "P": [0.5, 0.5], "Q": [0.3, 0.7]},
}
SIGNS = {"sigma": np.ones((2, 3))}
SPECIAL |= {
    "block_risk": {"q": [0.5, 0.5], "n": [2, 3]},
    "coin_gap": {"lam": 4.0},
    "decode_tree": {"word": theory.encode_tree((0, -1, 1), 3)},
    "edge_bound": {"edge": [0.1, 0.2]},
    "growth_function": {"m": 1},
    "product_identity_error": {"T": 5},
    "random_signs": {"rng": np.random.default_rng(0)},
    "slow_rate_law": {"a": lambda m: 0.4 / m},
    "sgd_average": {"tau": [0.25, 0.25]},
    **dict.fromkeys(["knn_risk", "majority_factor"], {"k": 9}),
    **dict.fromkeys(["azuma_probability", "mcdiarmid_deviation", "mcdiarmid_probability"], {"c": [0.1, 0.2]}),
    **dict.fromkeys(["exponential_risk", "margin_error"], {"epsilon": [0.2, 0.3]}),
    **dict.fromkeys(["rademacher", "suprema"], SIGNS | {"values": np.eye(3)}),
    **{"kernel_suprema": SIGNS | {"K": np.eye(3)}, "linear_suprema": SIGNS | {"X": np.eye(3)}},
    "threshold_suprema": SIGNS,
}
UNCHECKED = {  # they take infinity, or integers of any size, and leave the rest to NumPy
    *["novikoff", "novikoff_with_bias", "multiclass_perceptron_bound", "slow_perceptron"],
    *["adaline_distance", "slow_steps"],
}
PROMISES = {name: getattr(theory, name) for name in theory.__all__ if callable(getattr(theory, name))}
PROMISES = {name: promise for name, promise in PROMISES.items() if name not in UNCHECKED | {"states"}}
NO_NUMBERS = [
    *[np.nan, np.inf, -np.inf, "abc", "0.5", ["a", "b"], 1j, object(), {}, [[1], [1, 2]], 10**400, [np.nan, 1.0]],
    *[np.full((3, 3), np.nan), np.full((3, 3), np.inf), np.array(["2020"], dtype="M8[Y]")],
]
STRANGE = [
    *[0, -1, 1, 2, 0.5, 2.5, -0.1, 1e308, 1e-320, True, None, [], np.zeros((0, 3)), np.zeros((3, 0)), np.array(3)],
    *[np.array([3, 4], dtype=np.int8), np.array([3, 200], dtype=np.uint8), np.array([True, False]), [0.1, 0.2, 0.3]],
    *[np.full((2, 2), 0.5), np.ones((2, 2), dtype=int), np.full((2, 1, 1), 0.5), np.full((2, 2, 2), 3)],
]
every_promise = pytest.mark.parametrize("name", PROMISES)


def promise_arguments(name):
    return right_arguments(name, PROMISES[name], NUMBERS)


@every_promise
def test_a_promise_refuses_what_is_no_finite_number(name):
    right = promise_arguments(name)
    for argument in right.keys() - {"words", "lengths"}:  # words may be any strings, and a collection empty
        for bad in NO_NUMBERS:
            refused, _ = attempt(functools.partial(PROMISES[name], **right | {argument: bad}), argument, bad)
            assert refused, (argument, bad)


@every_promise
def test_a_promise_refuses_a_strange_number_or_answers(name):
    right = promise_arguments(name)
    for argument in right:
        for strange in STRANGE:
            refused, answer = attempt(
                functools.partial(PROMISES[name], **right | {argument: strange}), argument, strange
            )
            assert refused or not has_nan(answer), (argument, strange, answer)


@pytest.mark.parametrize("name", [name for name in PROMISES if "delta" in inspect.signature(PROMISES[name]).parameters])
@pytest.mark.parametrize("delta", [0, -0.1, 2, 1 + 1e-9, [0.1, 0], [[0.5], [1.5]]])
def test_a_failure_probability_lies_above_zero_and_is_at_most_one(name, delta):
    with pytest.raises(ValueError, match="0 < delta <= 1"):
        PROMISES[name](**promise_arguments(name) | {"delta": delta})


ONE_NUMBER = {  # these take one number, no arrays
    *["all_signs", "boolean_trees", "catalan", "count_trees", "cover_labellings", "independent_events", "sauer"],
    *["interval_class", "maximum_errors", "symmetric_copies", "threshold_class", "vc_sample_size"],
}


@every_promise
def test_arguments_of_different_shapes_are_broadcast(name):
    right = promise_arguments(name)
    if name in ONE_NUMBER or not all(isinstance(value, (int, float)) for value in right.values()):
        return
    shapes = [(2, 1, 1, 1, 1, 1), (2, 1, 1, 1, 1), (3, 1, 1, 1), (2, 1, 1), (3, 1), (2,)]
    full = {key: np.full(shape, value) for (key, value), shape in zip(right.items(), shapes, strict=False)}
    one, many = PROMISES[name](**right), PROMISES[name](**full)
    expected = np.broadcast_shapes(*(value.shape for value in full.values()))
    for single, answers in zip(np.atleast_1d(one), many if isinstance(many, tuple) else [many], strict=True):
        assert np.shape(answers) == expected
        np.testing.assert_allclose(answers, single)
