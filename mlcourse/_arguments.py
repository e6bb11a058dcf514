"""Kinds of arguments: each is a type hint and, under ``@inspected`` and ``@traced``, a check of what is passed.

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
from numpy.typing import ArrayLike

from mlcourse import _checks as check


class Kind(NamedTuple):
    """How a kind of argument is read, and the letters of its shape; ``entries`` reads each entry of an iterable."""

    read: Callable  # (name, value) -> value, or an error
    sizes: tuple = ()
    entries: Callable | None = None  # (name, entry, m) -> entry, or an error; m may be None


def _number(read: Callable) -> type:
    return Annotated[float, Kind(read)]


def _array(read: Callable, *sizes: str) -> type:
    return Annotated[ArrayLike, Kind(read, sizes)]


Points = _array(lambda name, value: check.check_X(value), "m", "d")
Matrix = _array(check.check_matrix)
Values = _array(check.check_matrix, "m", "number of rules")
Square = _array(check.check_square, "d", "d")
Gram = _array(check.check_gram, "m", "m")
Vector = _array(check.check_vector, "d")
Reals = _array(check.check_vector, "m")
Signs = _array(check.check_signs, "m")
Labels = _array(check.check_indices, "m")

Number = _number(check.check_number)
Positive = _number(check.check_positive)
NonNegative = _number(check.check_non_negative)
Fraction = _number(check.check_fraction)
Decay = _number(check.check_decay)
Decays = Annotated[tuple[float, float], Kind(check.check_decays)]
Count = Annotated[int, Kind(check.check_count)]
Size = Annotated[int, Kind(functools.partial(check.check_count, minimum=0))]
Flag = Annotated[bool, Kind(check.check_flag)]
Seed = Annotated[np.random.Generator | int | None, Kind(lambda name, value: check.check_rng(value))]
Function = Annotated[Callable, Kind(check.check_function)]
Steps = Annotated[float | Iterable[float], Kind(check.check_steps)]
Run = Annotated[Iterable, Kind(check.check_iterable)]
Draws = Annotated[Iterable[int], Kind(check.check_iterable, entries=check.check_row)]
Batches = Annotated[Iterable[ArrayLike], Kind(check.check_iterable, entries=check.check_batch)]
Sentences = Annotated[Iterable[ArrayLike], Kind(check.check_iterable, entries=check.check_words)]
Orders = Annotated[Iterable[ArrayLike | None], Kind(check.check_iterable, entries=check.check_order)]


def having(*methods: str) -> Any:
    """The kind of objects that have these methods."""
    return Annotated[Any, Kind(check.check_having(*methods))]


Objective = having("at")
Learner = having("fit", "predict")
Rounds = Annotated[Iterable, Kind(check.check_iterable, entries=check.check_round)]


# --- inspection ------------------------------------------------------------------------------------


def inspection(function: Callable) -> Callable:
    """What is to be done with (args, kwargs) before the function gets them: those that have a kind are checked."""
    parameters = inspect.signature(function).parameters
    names, kinds = list(parameters), {name: _kind(parameter.annotation) for name, parameter in parameters.items()}
    checks = [(name, kind, parameters[name].default) for name, kind in kinds.items() if kind]
    entries = [(name, kind.entries) for name, kind, _ in checks if kind.entries]

    def read(args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        if not checks or len(args) > len(names) or not kwargs.keys() <= kinds.keys():
            return args, kwargs  # if there is something wrong, Python will say so
        given, sizes = dict(zip(names, args, strict=False)) | kwargs, {}
        for name, kind, default in checks:
            if name in given and given[name] is not default:
                given[name] = value = kind.read(name, given[name])
                if kind.sizes:
                    _agree(sizes, name, kind.sizes, getattr(value, "shape", ()))
        if "n_classes" in given and "y" in given and np.max(given["y"]) >= given["n_classes"]:
            raise ValueError(f"y must hold classes below n_classes, {given['n_classes']}, got {np.max(given['y'])}")
        m = sizes.get("m", (None,))[0]
        for name, check_entry in entries:
            given[name] = _checked_entries(check_entry, name, given[name], m)
        return (), given

    return read


def _kind(annotation):
    """The kind that an annotation names, alone or beside None; None if it names none."""
    for part in (annotation, *get_args(annotation)):
        if isinstance(getattr(part, "__metadata__", (None,))[0], Kind):
            return part.__metadata__[0]
    return None


def _checked_entries(check, name, values, m):
    return (check(name, entry, m) for entry in values)


def _agree(sizes, name, letters, shape):
    for letter, size in zip(letters, shape, strict=False):
        known, other = sizes.setdefault(letter, (size, name))
        if known != size:
            raise ValueError(f"{name} must fit {other} (same length): {letter} is {size} in {name}, {known} in {other}")


def arithmetic(name: str, function: Callable, *args, **kwargs) -> Any:
    """The value of the function of that name; numbers too large for it end in ``ValueError`` instead of a warning."""
    loud = np.geterr()["over"] == "warn"  # who has silenced NumPy gets infinities
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise") if loud else np.errstate():
            return function(*args, **kwargs)
    except ArithmeticError as error:
        raise ValueError(f"{name} cannot compute with such numbers ({error}): rescale them") from error


def inspected(function: Callable) -> Callable:
    """Decorator: the arguments are checked by their kinds; the bare function stays at ``.__wrapped__``."""
    read, name = inspection(function), function.__qualname__.removesuffix(".__init__")

    @functools.wraps(function)
    def call(*args, **kwargs):
        args, kwargs = read(args, kwargs)
        return arithmetic(name, function, *args, **kwargs)

    return call
