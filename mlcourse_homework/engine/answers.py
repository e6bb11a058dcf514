"""What a check asks of an answer, and how it says what is wrong.

A check raises ``Wrong`` with a sentence the student can act on and, if it helps, what was tried, what came out and
what should hold. ``for_all`` looks for the smallest instance on which a property fails.
"""

import copy
import re
import time

import numpy as np

from mlcourse_homework.engine.limits import OutOfTime

SHRINKING = 2.0  # seconds spent on making a failing instance smaller


class Wrong(Exception):
    """The answer violates what should hold: on which input, what came out, what should; a value is put in one line."""

    def __init__(self, message, tried="", got="", should=""):
        super().__init__(message)
        details = {"tried": tried, "got": got, "should": should}
        self.details = {key: value if isinstance(value, str) else brief(value) for key, value in details.items()}


class NotAttempted(Exception):
    """The answer is a stub."""


def _missing(value):
    """A guess at why there is no value."""
    return " Is a return missing?" if value is None else ""


def require(condition, message, tried="", got="", should=""):
    """Raise ``Wrong`` with the message unless the condition holds."""
    if not condition:
        raise Wrong(message, tried, got, should)


def requiring(tried, got=""):
    """``require`` for one instance: every violation says what was tried and what came out."""
    return lambda condition, message, should="": require(condition, message, tried, got, should)


def bounds(bound, value, tried, side="upper", why=""):
    """The bound, which should be on the right side of a value that was attained, up to rounding."""
    above = side == "upper"
    holds = bound >= value - 1e-6 * abs(value) - 1e-9 if above else bound <= value + 1e-6 * abs(value) + 1e-9
    should = f"at {'least' if above else 'most'} {value:.6g}{why and ': '}{why}"
    require(holds, f"this is not {'an' if above else 'a'} {side} bound.", tried, bound, should)
    return bound


def sharp_bound(bound, best, tried, why, slack, side="upper"):
    """The bound, which should be the best one: ``why`` it cannot be better, and the ``slack`` of one that is worse."""
    loose = bounds(bound, best, tried, side, why) - best
    require(abs(loose) <= 1e-6 * abs(best) + 1e-9, f"true, but not the best bound: {slack}", tried, bound)
    return bound


def slip(got, known):
    """Why a result is wrong, as a clause, if it is one of the ``known`` mistakes {what to say: result}."""
    return next((f": {text}" for text, value in known.items() if np.isclose(got, value)), "")


def pair(answer, form):
    """The two parts of an answer that should have the given form."""
    require(
        isinstance(answer, (tuple, list)) and len(answer) == 2,
        f"a pair {form} is expected, got {answer!r}." + _missing(answer),
    )
    return answer


def two(answer, form):
    """The two parts of an answer that should have the given form; an array of two will do."""
    return pair(list(answer) if isinstance(answer, np.ndarray) and answer.ndim else answer, form)


def two_numbers(answer, form):
    """The two numbers of an answer, a pair or an array."""
    return [number(part, f"each part of {form}") for part in two(answer, form)]


def function(answer, form):
    """The answer, which should be a function of the given form."""
    require(callable(answer), f"a function {form} is expected, got {answer!r}; give the function, not its result.")
    return answer


def estimator(answer, methods=("fit", "predict")):
    """A function that returns a fresh estimator: the answer is a class without required arguments, or an instance."""
    lacking = [name for name in methods if not callable(getattr(answer, name, None))]
    require(not lacking, f"an estimator with methods {', '.join(methods)} is expected, {answer!r} lacks {lacking}.")
    return answer if isinstance(answer, type) else lambda: copied(answer)


def array(value, shape, name):
    """The value as an array of floats, which should have the given shape; () is a number."""
    kind = f"an array of shape {shape}" if shape else "a number"
    try:
        got = None if np.asarray(value).dtype.kind in "cSUMm" else np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        got = None
    got = None if value is None else got
    require(got is not None, f"{name} should be {kind}, got {value!r}.{_missing(value)}")
    require(got.shape == shape, f"{name} should be {kind}, got shape {got.shape}.")
    return got


def number(value, name):
    """The value as a finite float."""
    got = float(array(value, (), name))
    require(np.isfinite(got), f"{name} should be a finite number, got {got}.")
    return got


def close(got, want, name, tried="", should=None, rtol=1e-6, atol=1e-9):
    """``got`` as an array, which should agree with ``want``."""
    want = np.asarray(want, dtype=float)
    got = array(got, want.shape, name)
    if not np.allclose(got, want, rtol=rtol, atol=atol):
        raise Wrong(f"{name} is not right{resemblance(got, want)}.", tried, got, want if should is None else should)
    return got


def resemblance(got, want):
    """How a wrong result resembles the right one, as a clause: a turned sign, a factor, a shift, a transpose."""
    if not np.isfinite(got).all():
        return ": it has entries that are not finite numbers"
    if np.allclose(got, want, rtol=1e-3):
        return ": it is close, but not close enough"
    if np.allclose(got, -want):
        return ": the sign is turned"
    factor, shift = float(np.vdot(got, want) / np.vdot(want, want)) if np.any(want) else 0.0, np.ravel(got - want)
    simple, clues = {2.0: "twice", 0.5: "half"}.get(round(factor, 6)), []
    if factor and np.allclose(got, factor * want, rtol=1e-6, atol=1e-9) and (simple or got.size > 1):
        clues.append(f"it is {simple or f'{factor:.4g} times'} what it should be")
    if np.allclose(shift, shift[0], rtol=1e-6, atol=1e-9) and (got.size > 1 or np.isclose(abs(shift[0]), 1)):
        clues.append(f"it is {abs(shift[0]):.4g} too {'large' if shift[0] > 0 else 'small'}")
    if got.ndim == 2 and got.shape == got.T.shape and np.allclose(got.T, want):
        clues.append("it is transposed")
    return f": {clues[0]}" if clues and (got.size > 1 or len(clues) == 1) else ""  # 2 for 1 is one more, and twice


def brief(value):
    """A value in one short line."""
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(brief, value))})" if len(value) <= 4 else f"{len(value)} things"
    if isinstance(value, np.ndarray) and value.ndim and not 0 < value.size <= 24:
        return f"an array of shape {value.shape}"
    if isinstance(value, np.ndarray) and value.ndim:
        tiny = value.dtype.kind == "f" and value.any() and (np.abs(value) < 1e-4).all()
        text = np.array2string(value, precision=4, separator=", ", suppress_small=not tiny, max_line_width=10**6)
        return " ".join(text.split())
    if isinstance(value, (float, np.floating)) or (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
        return f"{float(value):.6g}"
    return str(value)


def show(**values):
    """The named values in one line: "w = [0, 1], y = -1"."""
    return ", ".join(f"{name} = {brief(value)}" for name, value in values.items())


def copied(value):
    """A deep copy, or the value itself if it cannot be copied."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def for_all(instances, holds, valid=lambda *instance: True):
    """Every instance satisfies ``holds(*instance)``; if one does not, the smallest failing one found is reported.

    ``holds`` raises ``Wrong``. Instances should come in order of size. A failing one is made smaller, by leaving out
    rows and rounding numbers, as long as it is ``valid`` and fails for the same reason.
    """
    for instance in instances:
        try:
            holds(*instance)
        except Wrong as wrong:
            raise _smallest(instance, holds, valid, wrong) from None


def _smallest(instance, holds, valid, wrong):
    """What is said about the smallest failing instance found below a failing one."""
    end, found = time.monotonic() + SHRINKING, True
    while found and time.monotonic() < end:
        found = False
        for candidate in _smaller(instance):
            if time.monotonic() > end:
                break
            try:
                if valid(*candidate):
                    holds(*candidate)
            except Wrong as again:
                if _reason(again) == _reason(wrong):
                    instance, wrong, found = candidate, again, True
                    break
            except OutOfTime:
                return wrong
            except Exception:
                continue
    return wrong


def _reason(wrong):
    """What is said of an instance, without its numbers."""
    return re.sub(r"-?\d[\d.e+-]*", "#", str(wrong))


def _smaller(instance):
    """Instances without some rows, then with rounded numbers; rows are shared by all arrays of the same length."""
    arrays = [value for value in instance if isinstance(value, np.ndarray) and value.ndim]
    for m in sorted({len(value) for value in arrays}, reverse=True):
        parts = [range(m // 2), range(m // 2, m), *([i] for i in range(m))] if m > 1 else []
        for part in parts:
            keep = np.setdiff1d(np.arange(m), part)
            if 0 < len(keep) < m:
                yield tuple(v[keep] if isinstance(v, np.ndarray) and v.ndim and len(v) == m else v for v in instance)
    for digits in (0, 1):
        floats = [isinstance(v, np.ndarray) and v.dtype.kind == "f" for v in instance]
        rounded = tuple(np.round(v, digits) if f else v for v, f in zip(instance, floats, strict=True))
        if any(np.any(a != b) for a, b in zip(rounded, instance, strict=True) if isinstance(a, np.ndarray)):
            yield rounded
