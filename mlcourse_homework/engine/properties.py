"""Properties that several homeworks ask of an answer, and the slips that are known to violate them.

A slip is a pair: the value that it gives, and what to say about it.
"""

import numpy as np

from mlcourse_homework.engine.answers import close, number, require

NEAR = "near, but not exact; an approximation, or a sum with a term too many or too few"


def equals(got, want, name, tried, slips=()):
    """``got`` is the number ``want``; where it is the value of a slip instead, that is said."""
    got, scale = number(got, name), min(abs(want), abs(1 - want)) if 0 < want < 1 else abs(want)
    right, *same = np.isclose(got, [want, *(value for value, _ in slips)], rtol=1e-6, atol=1e-7)
    causes = [cause for (_, cause), match in zip(slips, same, strict=True) if match]
    causes = causes or [NEAR] * bool(abs(got - want) < 0.05 * scale)
    require(right or not causes, f"{name} is not right: {'; or '.join(causes)}.", tried, got, want)
    close(got, want, name, tried, atol=1e-7)


def smallest(got, want, bound, delta, name, tried, slips=()):
    """``got`` is the smallest whole number at which a bound on a probability is at most delta, ``want``."""
    got = number(got, name)
    require(got == int(got) and got >= 1, f"{name} should be a whole number of at least 1.", tried, got)
    causes = [cause for value, cause in slips if got == value != want]
    require(not causes, f"{name} is not right: {'; or '.join(causes)}.", tried, f"{got:.0f}")
    there = f"{got:.0f}, where the bound on the probability is {bound(got):.6g}"
    early = f"{name} is too small: what can be promised there is not yet delta."
    require(got >= want, early, tried, there, f"at most {delta:g}")
    less = f"{got:.0f}, and with one less the bound on the probability is {bound(got - 1):.6g}"
    require(got <= want, f"{name} is enough, but it is not the smallest number that is.", tried, less)
