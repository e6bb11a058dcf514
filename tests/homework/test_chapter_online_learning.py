"""The checks of the online-learning exercises accept right answers and say what is wrong with planted wrong ones."""

import numpy as np
from planting import planted_tests, told, with_faults

from mlcourse_homework.chapters import online_learning as ex


def alternating(first, size=1.0):
    def answer(T):
        g = size * np.where(np.arange(T) % 2 == 0, 1.0, -1.0)
        g[0] = first
        return g

    return answer


@with_faults
def ogd(opponent, T, d, U, G, *, sign=-1.0, power=0.5, project=True, factor=2**0.5, calls=None, scale=None):
    w = np.zeros(d)
    for t in range(1, (T if calls is None else calls) + 1):
        w = w + sign * factor * (U / G if scale is None else scale) / t**power * opponent(w)
        norm = np.linalg.norm(w)
        w = w * U / norm if project and norm > U else w


def known_horizon(opponent, T, d, U, G):
    w = np.zeros(d)
    for _ in range(T):
        w = w - U / (G * np.sqrt(T)) * opponent(w)
        w = w * min(1, U / max(np.linalg.norm(w), 1e-300))


def in_place(opponent, T, d, U, G):
    w = np.zeros(d)
    for t in range(1, T + 1):
        w -= U * 2**0.5 / (G * t**0.5) * opponent(w)
        w *= min(1, U / max(np.linalg.norm(w), 1e-300))


RIGHT = {
    ex.b: [lambda t, w, mu, G, sign=sign: mu * w + sign * G * np.eye(len(w))[t % len(w)] for sign in (1, -1)],
    ex.factor: [lambda U, G: 2**0.5 * U / G, lambda U, G: np.sqrt(2 * U**2 / G**2)],
    ex.slopes: [alternating(0.5), alternating(0.9), lambda T: -alternating(0.25)(T)],
    ex.play: [ogd, known_horizon, in_place, ogd(factor=1.2)],
    ex.most: [lambda H, b: (b / 2 + np.sqrt(b**2 / 4 + H)) ** 2, lambda H, b: H + b**2 / 2 + b * np.sqrt(H + b**2 / 4)],
}
WRONG = {
    ex.factor: [
        *told("is possible", lambda U, G: U / G, lambda U, G: 2**0.5 * U),
        (lambda U, G: -(2**0.5) * U / G, "positive"),
        (lambda U, G: [1, 2], "a number"),
    ],
    ex.slopes: [
        (alternating(1.0), "the regret is"),  # the sum returns to zero and so does the leader
        (lambda T: np.ones(T), "the regret is"),
        (alternating(0.5, 2.0), "above 1"),
        (lambda T: np.ones(3), "shape"),
        (lambda T: "g", "an array"),
    ],
    ex.play: [
        (ogd(sign=1.0), "uphill"),
        (ogd(project=False), "go back into the ball"),
        *told("are the steps", ogd(power=2.0), ogd(power=0.0), ogd(scale=1.0)),
        (ogd(calls=10), "you played 10 rounds"),
        (ogd(calls=301), "more than T"),
        (lambda opponent, T, d, U, G: [opponent(np.zeros(d)) for _ in range(T)], "regret"),
        (lambda opponent, T, d, U, G: opponent(0.0), "shape"),
        (lambda opponent, T, d, U, G: opponent(np.full(d, np.nan)), "finite"),
    ],
    ex.b: [
        (lambda t, w, mu, G: mu * w + G * np.ones(len(w)) / len(w), "is possible"),
        (lambda t, w, mu, G: mu * w + 2 * G * np.eye(len(w))[0], "has length"),
        (lambda t, w, mu, G: mu * w, "the regret is"),
        (lambda t, w, mu, G: G * np.eye(len(w))[0], "is possible"),
        (lambda t, w, mu, G: 1.0, "shape"),
    ],
    ex.most: [
        (lambda H, b: H + b**2 + b * np.sqrt(H), "too large"),
        *told("not the largest", lambda H, b: max(H, b**2), lambda H, b: H),
        (lambda H, b: -1.0, "negative"),
        (lambda H, b: None, "a number"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
