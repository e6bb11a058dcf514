"""Checks for the code exercises of the chapter on consistency."""

import numpy as np

from mlcourse.theory import interval_class, is_prefix_free, no_free_lunch, suprema, vc_deviation
from mlcourse_homework.engine.answers import array, number, require
from mlcourse_homework.engine.exercise import because, exercise


@exercise
def interval_suprema(answer, rng):
    """``answer(x, sigma)`` returns, for each row of sigma, the supremum over the rules "+1 on an interval, else -1"."""
    for m in [1, 2, 3, 5, 8] * 4:
        x, sigma = rng.permutation(m) + rng.random(m) / 2, rng.choice([-1.0, 1.0], size=(20, m))
        got = array(answer(x, sigma), (20,), "the answer for 20 rows of signs")
        exact = suprema(interval_class(m)[:, x.argsort().argsort()], sigma)
        r = int(np.abs(got - exact).argmax())
        sample = f"x = {np.round(x, 2).tolist()}, sigma = {sigma[r].astype(int).tolist()}"
        why = because(
            (np.allclose(got, m * exact), "Is the factor 1/m missing?"),
            ((got > exact + 1e-9).any(), "No interval agrees so well with these signs."),
        )
        require(np.allclose(got, exact), f"on {sample} you get {got[r]:.4f}, the supremum is {exact[r]:.4f}.{why}")
    return "the suprema agree with all intervals tried one by one, on 20 samples with 20 rows of signs each."


@exercise
def sample_size(answer, rng):
    """``answer(V, epsilon, delta)`` returns the smallest m >= V/2 for which the VC bound is at most epsilon."""
    for _ in range(40):
        V, epsilon, delta = int(rng.integers(1, 60)), float(rng.uniform(0.02, 1.5)), float(rng.uniform(0.001, 0.5))
        m = number(answer(V, epsilon, delta), "the answer")
        case = f"V = {V}, epsilon = {epsilon:.3f}, delta = {delta:.3f}"
        require(m == np.floor(m) and 2 * m >= V, f"for {case} you get {m}: a whole number of at least V/2 is expected.")
        bound = vc_deviation(m, V, delta)
        require(bound <= epsilon, f"for {case} you get m = {m:.0f}, where the bound is {bound:.4f}, above epsilon.")
        smaller = 2 * (m - 1) >= V and vc_deviation(m - 1, V, delta) <= epsilon
        require(not smaller, f"for {case} you get m = {m:.0f}, but m = {m - 1:.0f} is enough already.")
    return "the bound is at most epsilon at your m and above it at m - 1, in 40 cases."


@exercise
def words_for_weights(answer, rng):
    """``answer(w)`` returns words of 0 and 1, none beginning another, word i shorter than 1 + log2(1 / w_i)."""
    cases = [np.array([1.0]), np.full(4, 1 / 4), np.array([0.5, 0.25, 0.125, 0.125])]
    for w in [*cases, *(rng.dirichlet(np.full(n, 0.5)) for n in (2, 3, 7, 20, 60))]:
        w = rng.permutation(w[w > 1e-6])
        words = list(answer(w))
        shown = f"for the weights {np.round(w[:6], 4).tolist()}"
        require(len(words) == len(w), f"{shown} {len(w)} words are expected, got {len(words)}.")
        text = all(isinstance(word, str) and set(word) <= {"0", "1"} for word in words)
        require(text, f"{shown} words should be strings of 0 and 1, got {words[:4]}.")
        require(is_prefix_free(words), f"{shown} one of your words begins (or equals) another: {words[:6]}.")
        for word, weight in zip(words, w, strict=True):
            bits, limit = f"the word {word} of weight {weight:.4g} has {len(word)} bits", 1 + np.log2(1 / weight)
            require(len(word) < limit, f"{shown} {bits}; fewer than {limit:.2f} are allowed.")
    return "none of your words begins another, and each is less than one bit longer than log2(1/w)."


@exercise
def points_needed(answer, rng):
    """``answer(a)`` returns the least N with (1/2) (1 - 1/N)^m >= a_m for m = 1, ..., len(a)."""
    for _ in range(40):
        T = int(rng.integers(1, 30))
        a = np.sort(rng.uniform(0.01, 0.45, size=T))[::-1]
        N = number(answer(a), "the answer")
        case = f"for a = {np.round(a[:5], 3).tolist()} and {T} sample sizes"
        require(N == np.floor(N) and N >= 1, f"{case} you get {N}: a whole number is expected.")
        risk = no_free_lunch(np.arange(1, T + 1), N)
        m = int((risk - a).argmin()) + 1
        enough = f"{case} N = {N:.0f} is too small: at m = {m} the average risk is {risk[m - 1]:.4f}, below a_m."
        require((risk >= a - 1e-12).all(), enough)
        fewer = N > 1 and (no_free_lunch(np.arange(1, T + 1), N - 1) >= a).all()
        require(not fewer, f"{case} you get N = {N:.0f}, but {N - 1:.0f} points are enough.")
    return "your N defeats the rate at every sample size and N - 1 does not, for 40 sequences."
