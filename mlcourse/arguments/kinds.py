"""Kinds of arguments: each is a type hint and, under ``@checks_arguments`` and ``@returns_trace``, a check.

``def f(X: Points, y: Signs, lam: Positive)`` says what f takes. Arguments of one call must agree in the sizes that
they share, such as the m of X and y. A default needs no check. Numbers too large to compute with are an error.

Letters
    m, d    number of examples, dimension: the sizes of arrays
"""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple, get_args

import numpy as np

from mlcourse.arguments import arrays, collections, numbers
from mlcourse.arguments.door import P, R, compute, entered, is_inside


class Kind(NamedTuple):
    """How a kind of argument is read, and the letters of its shape; ``entries`` reads each entry of an iterable."""

    read: Callable  # (name, value) -> value, or an error
    sizes: tuple = ()
    entries: Callable | None = None  # (name, entry, m) -> entry, or an error; m may be None


class RowsOnDemand:
    """A matrix whose rows are computed when they are asked for: where a Gram matrix is wanted, this will do."""


def _check_gram(name, value):
    return value if isinstance(value, RowsOnDemand) else arrays.check_square(name, value)


def _check_penalties(name, value):
    values = arrays.check_vector(name, np.atleast_1d(arrays.check_array(name, value)))
    for strength in values:
        numbers.check_non_negative(name, strength)
    return values


Points = Annotated[np.ndarray, Kind(lambda name, value: arrays.check_X(value), ("m", "d"))]
Matrix = Annotated[np.ndarray, Kind(arrays.check_matrix)]
RuleValues = Annotated[np.ndarray, Kind(arrays.check_matrix, ("m", "number of rules"))]
SquareMatrix = Annotated[np.ndarray, Kind(arrays.check_square, ("d", "d"))]
Gram = Annotated[np.ndarray, Kind(_check_gram, ("m", "m"))]
Vector = Annotated[np.ndarray, Kind(arrays.check_vector, ("d",))]
Targets = Annotated[np.ndarray, Kind(arrays.check_vector, ("m",))]
Signs = Annotated[np.ndarray, Kind(arrays.check_signs, ("m",))]
Labels = Annotated[np.ndarray, Kind(arrays.check_indices, ("m",))]
Penalties = Annotated[np.ndarray, Kind(_check_penalties)]  # one lam, or several

Number = Annotated[float, Kind(numbers.check_number)]
Positive = Annotated[float, Kind(numbers.check_positive)]
NonNegative = Annotated[float, Kind(numbers.check_non_negative)]
Fraction = Annotated[float, Kind(numbers.check_fraction)]
Decay = Annotated[float, Kind(numbers.check_decay)]
Decays = Annotated[tuple[float, float], Kind(numbers.check_decays)]
Count = Annotated[int, Kind(numbers.check_count)]
Size = Annotated[int, Kind(functools.partial(numbers.check_count, minimum=0))]
Flag = Annotated[bool, Kind(numbers.check_flag)]
Seed = Annotated[np.random.Generator | int | None, Kind(lambda name, value: numbers.check_rng(value))]
AnyFunction = Annotated[Callable, Kind(collections.check_function)]
Steps = Annotated[float | Iterable[float], Kind(collections.check_steps)]
AnyIterable = Annotated[Iterable, Kind(collections.check_iterable)]
Draws = Annotated[Iterable[int], Kind(collections.check_iterable, entries=collections.check_row)]
Batches = Annotated[Iterable[np.ndarray], Kind(collections.check_iterable, entries=collections.check_batch)]
Sentences = Annotated[Iterable, Kind(collections.check_iterable, entries=collections.check_words)]
Orders = Annotated[Iterable[np.ndarray | None], Kind(collections.check_iterable, entries=collections.check_order)]
Rounds = Annotated[Iterable, Kind(collections.check_iterable, entries=collections.check_round)]
Objective = Annotated[Any, Kind(collections.check_having("at"))]
Learner = Annotated[Any, Kind(collections.check_having("fit", "predict"))]
Fitted = Annotated[Any, Kind(collections.check_having("predict"))]
Tunable = Annotated[Any, Kind(collections.check_having("fit", "predict", "set_params"))]
SmoothLoss = Annotated[Any, Kind(collections.check_having("with_derivative"))]
StochasticRisk = Annotated[Any, Kind(collections.check_having("batch_gradient"))]


def argument_reader(function: Callable) -> Callable:
    """What is to be done with (args, kwargs) before the function gets them: those that have a kind are checked."""
    parameters = inspect.signature(function).parameters
    names, kinds = list(parameters), {name: _kind(parameter.annotation) for name, parameter in parameters.items()}
    checks = [(name, kind, parameters[name].default) for name, kind in kinds.items() if kind]
    entries = [(name, kind.entries) for name, kind, _ in checks if kind.entries]

    def read(args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        if not checks or len(args) > len(names) or not kwargs.keys() <= kinds.keys():
            return args, kwargs  # if there is something wrong, Python will say so
        given = dict(zip(names, args, strict=False)) | kwargs
        sizes: dict[str, tuple[int, str]] = {}  # letter -> its size, and the argument that says so
        for name, kind, default in checks:
            if name in given and given[name] is not default:
                given[name] = value = kind.read(name, given[name])
                if kind.sizes:
                    _agree(sizes, name, kind.sizes, getattr(value, "shape", ()))
        m = sizes["m"][0] if "m" in sizes else None
        for name, check_entry in entries:
            given[name] = map(functools.partial(check_entry, name, m=m), given[name])
        return (), given

    return read


def _kind(annotation):
    """The kind that an annotation names, alone or beside None; None if it names none."""
    for part in (annotation, *get_args(annotation)):
        if isinstance(getattr(part, "__metadata__", (None,))[0], Kind):
            return part.__metadata__[0]
    return None


def _agree(sizes, name, letters, shape):
    for letter, size in zip(letters, shape, strict=False):
        known, other = sizes.setdefault(letter, (size, name))
        if known != size:
            raise ValueError(f"{name} must fit {other} (same length): {letter} is {size} in {name}, {known} in {other}")


def checks_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: arguments from outside the package are checked by their kinds."""
    read, name = argument_reader(function), function.__qualname__.removesuffix(".__init__")

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if is_inside():
            return function(*args, **kwargs)
        with entered():
            checked, named = read(args, kwargs)
            return compute(name, function, *checked, **named)

    return call
