"""What many checks ask of an answer: finite numbers, several parts, the right result or a mistake with a name."""

import numpy as np

from mlcourse_homework.engine.answers import array, brief, close, number, require

NEAR = "near, but not exact; an approximation, or a sum with a term too many or too few"


def shape_of(value):
    """The shape of a value, None if it has none."""
    try:
        return np.shape(value)
    except ValueError:
        return None


def single(value):
    """The number in an array or a list of one; any other value as it is."""
    return value[0] if shape_of(value) == (1,) else value


def finite(value, shape, name, tried="", why=""):
    """The value as an array of finite numbers, which should have the given shape; () is a number."""
    got = array(value, shape, name)
    what = "consist of finite numbers" if shape else "be a finite number"
    require(np.isfinite(got).all(), f"{name} should {what}.{why}", tried, got)
    return got


def parts(answer, *names):
    """The things with these names that make up an answer."""
    got = len(answer) if isinstance(answer, (tuple, list)) else brief(answer)
    require(got == len(names), f"{len(names)} things, {', '.join(names)}, are expected, got {got}.")
    return dict(zip(names, answer, strict=True))


def same(got, want):
    """Whether two arrays agree up to rounding, also that of single precision."""
    size = np.abs(want).max(initial=0)
    return bool(np.isfinite(size)) and np.allclose(got, want, rtol=1e-5, atol=1e-7 + 1e-6 * size)


def agree(got, want, name, mistakes, tried="", should=None):
    """``got`` should be ``want``; ``mistakes`` maps what is said about a mistake to what it gives."""
    want = np.asarray(want, dtype=float)
    got = array(got, want.shape, name)
    if not same(got, want):
        why = next((text for text, wrong in mistakes.items() if same(got, wrong)), None)
        require(why is None, f"{name} is not right: {why}.", tried, got, want if should is None else should)
        close(got, want, name, tried, should, rtol=0, atol=0)


def equals(got, want, name, mistakes, tried):
    """``got`` should be the number ``want``; of ``mistakes``, as in ``agree``, all that give this number are named."""
    got, scale = number(got, name), min(abs(want), abs(1 - want)) if 0 < want < 1 else abs(want)
    right, *slips = np.isclose(got, [want, *mistakes.values()], rtol=1e-6, atol=1e-7)
    causes = [text for text, match in zip(mistakes, slips, strict=True) if match]
    causes = causes or [NEAR] * bool(abs(got - want) < 0.05 * scale)
    require(right or not causes, f"{name} is not right: {'; or '.join(causes)}.", tried, got, want)
    close(got, want, name, tried, atol=1e-7)


def smallest(got, want, bound, delta, name, mistakes, tried):
    """``got`` should be the smallest whole number at which a bound on a probability is at most delta, ``want``."""
    got = number(got, name)
    require(got == int(got) and got >= 1, f"{name} should be a whole number of at least 1.", tried, got)
    causes = [text for text, value in mistakes.items() if got == value != want]
    require(not causes, f"{name} is not right: {'; or '.join(causes)}.", tried, f"{got:.0f}")
    there = f"{got:.0f}, where the bound on the probability is {bound(got):.6g}"
    early = f"{name} is too small: what can be promised there is not yet delta."
    require(got >= want, early, tried, there, f"at most {delta:g}")
    less = f"{got:.0f}, and with one less the bound on the probability is {bound(got - 1):.6g}"
    require(got <= want, f"{name} is enough, but it is not the smallest number that is.", tried, less)
