"""Checks for the code exercises of the chapter on kernels."""

import itertools
import time

import numpy as np

from mlcourse.models.kernels.feature_maps import polynomial_features
from mlcourse.models.kernels.functions import GaussianKernel
from mlcourse_homework.engine.answers import array, require
from mlcourse_homework.engine.exercise import because, exercise, known

CANDIDATES = {  # a function of two numbers, and whether it is a kernel
    "cubic": (lambda x, z: (x * z - 1) ** 3, False),
    "root": (lambda x, z: np.sqrt(np.abs(x * z + 1)), False),
    "cosine": (lambda x, z: np.cos(x - z), True),
    "distance": (lambda x, z: -np.abs(x - z), False),
    "sigmoid": (lambda x, z: np.tanh(x * z - 1), False),
    "maximum": (np.maximum, False),
    "minimum": (lambda x, z: np.minimum(np.abs(x), np.abs(z)), True),
}


@exercise
def which_are_kernels(answer):
    """``answer`` maps each name to points whose Gram matrix has a negative eigenvalue, or to None for a kernel."""
    require(isinstance(answer, dict), f"a dictionary from names to points or None is expected, got {answer!r}.")
    missing = [name for name in CANDIDATES if name not in answer]
    require(not missing, f"nothing is said about {', '.join(missing)}.")
    for name, (k, is_kernel) in CANDIDATES.items():
        points = answer[name]
        if points is None:
            require(is_kernel, f"{name} is no kernel: at most three points are enough to show it.")
            continue
        points = array(points, np.shape(points) or (1,), f"the list of points for {name}")
        require(points.ndim == 1 and 0 < points.size <= 100, f"the points for {name} should be 1 to 100 numbers.")
        require(np.isfinite(points).all(), f"the points for {name} should be finite.")
        eigenvalues = np.linalg.eigvalsh(k(points[:, None], points))
        gram = f"{name}: the Gram matrix at {points.tolist()} has the smallest eigenvalue {eigenvalues[0]:.3g}"
        why = because((is_kernel, "Can you find features?"))
        require(eigenvalues[0] < -1e-9 * np.abs(eigenvalues).max(), f"{gram}, which is not negative.{why}")
    return "two are kernels, and your points convict the other five."


@exercise
def distances_to_mean(answer, rng):
    """``answer(K)`` returns the distances of the features from their mean, from their Gram matrix."""
    for m, d in [(1, 1), (2, 3), (7, 2), (20, 3)] * 3:
        phi = polynomial_features(rng.normal(size=(m, d)) + 1, 2)
        wanted = np.linalg.norm(phi - phi.mean(axis=0), axis=1)
        got = array(answer(phi @ phi.T), (m,), "the answer")
        why = known(got, (wanted**2, "These are their squares: take the root."), atol=1e-6)
        why = why or " Expand |phi(x_i) - mean|^2, it has three terms."
        tried = f"{m} points in {phi.shape[1]} features"
        require(np.allclose(got, wanted, atol=1e-6), f"the distances are not right.{why}", tried, got, wanted)
    return "the distances are those of the explicit features, on 12 samples."


@exercise
def kernel_ridge(answer, rng):
    """``answer(K, y, lam)`` returns the coefficients of the minimiser of mean (y - f)^2 + (lam/2) ||f||^2."""
    for m, lam in itertools.product([5, 1, 2, 12], [1e-2, 0.3, 4.0]):
        X, y = rng.normal(size=(m, 2)), rng.normal(size=m)
        K = GaussianKernel(1.0)(X)
        a = array(answer(K, y, lam), (m,), "the answer")

        def slope(lam, a=a, K=K, y=y, m=m):  # K times this is the gradient with respect to a
            return np.abs(-2 / m * (y - K @ a) + lam * a).max()

        factors = {"lam": 2 / m, "lam m": 2, "lam / 2": 1 / m, "lam m / 4": 0.5}
        guess = next((name for name, factor in factors.items() if m > 2 and slope(lam * factor) < 1e-8), None)
        why = because((guess, f"It seems that you add {guess} to the diagonal."))
        message = f"with m = {m} and lam = {lam} the gradient of the objective at your coefficients is not zero."
        require(slope(lam) < 1e-7, message + why)
    return "the gradient of the objective vanishes at your coefficients, for 12 problems."


@exercise
def all_substrings(answer, rng):
    """``answer(s, t)`` counts pairs of equal non-empty substrings of s and t, with their positions."""

    def parts(string):
        return [string[i:j] for i in range(len(string)) for j in range(i + 1, len(string) + 1)]

    pairs = [("ab", "aab"), ("", "a"), ("", ""), ("aaa", "aa")]
    pairs += [tuple("".join(rng.choice(list("abc"), size=size)) for size in rng.integers(0, 9, 2)) for _ in range(40)]
    for s, t in pairs:
        wanted = sum(u == v for u in parts(s) for v in parts(t))
        got = array(answer(s, t), (), f"the answer for {s!r}, {t!r}")
        common = len(set(parts(s)) & set(parts(t)))
        why = because((got == common, "Each pair of positions counts."))
        require(got == wanted, f"for s = {s!r} and t = {t!r} there are {wanted} pairs, you have {got:g}.{why}")
    start = time.perf_counter()
    require(answer("ab" * 60, "ab" * 60) == _of_alternating(120), "for two strings of 120 letters the count is wrong.")
    require(time.perf_counter() - start < 2, "for two strings of 120 letters you took over two seconds: see the hint.")
    long = "ab" * 300
    require(answer(long, long) == _of_alternating(600), "for two strings of 600 letters the count is wrong.")
    return "the counts are right on 44 pairs of strings and on a long one."


def _of_alternating(n):
    """The count for a string of n letters that alternate between a and b, and itself."""
    return sum(((n - p + 2) // 2) ** 2 + ((n - p + 1) // 2) ** 2 for p in range(1, n + 1))  # words that begin with a, b
