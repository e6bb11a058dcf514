"""The checks of the chapters' exercises accept right answers and say what is wrong with planted wrong ones."""

import math
import sys

import numpy as np
import pytest
from planting import in_lists, is_told, planted_tests, told
from scipy.optimize import brentq
from scipy.special import expit, logsumexp

from mlcourse.optim.line_search import strong_wolfe
from mlcourse_homework.chapters import convex_optimization as optim
from mlcourse_homework.chapters import erm, perceptron
from mlcourse_homework.chapters import gaussian_discriminant as gauss
from mlcourse_homework.chapters import linear_regression as linear
from mlcourse_homework.chapters import logistic_regression as logit


def perceptron_with(test, update=1.0, count=1):
    def answer(X, y):
        w, n = np.zeros(X.shape[1]), 0
        for _ in range(2000):
            clean = True
            for x_i, y_i in zip(X, y, strict=True):
                if test(y_i * (w @ x_i)):
                    w, n, clean = w + update * y_i * x_i, n + count, False
            if clean:
                break
        return w, n

    return answer


def best_interval(x, y):
    """Brute force: every pair of values."""
    pairs = [(a, b) for a in x for b in x] + [(1.0, 0.0)]
    return min(pairs, key=lambda p: np.mean(np.where((p[0] <= x) & (x <= p[1]), 1, -1) != y))


def bayes(P, labels, loss, predictions):
    costs = [(P * loss(labels, guess)).sum(axis=1) for guess in predictions]
    return np.array(predictions)[np.argmin(costs, axis=0)]


def ridge(X, y, alpha):
    return np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T @ y)


def ridge_by_rows(X, y, alpha, root=np.sqrt):
    d = X.shape[1]
    rows = np.vstack([X, root(alpha) * np.eye(d)])
    return np.linalg.lstsq(rows, np.append(y, np.zeros(d)), rcond=None)[0]


def leave_one_out(X, y, alpha):
    solved = np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T)
    return (y - X @ (solved @ y)) / (1 - np.sum(X * solved.T, axis=1))


def gaussian_fit(X, y, ddof=0, own_means=True, swapped=False):
    mu_plus, mu_minus = X[y == 1].mean(axis=0), X[y == -1].mean(axis=0)
    gaps = X - (np.where(y[:, None] == 1, mu_plus, mu_minus) if own_means else X.mean(axis=0))
    means = (mu_minus, mu_plus) if swapped else (mu_plus, mu_minus)
    return np.mean(y == 1), *means, gaps.T @ gaps / (len(y) - ddof)


def gaussian_fit_by_weights(X, y, plus=None):
    """The covariances of the classes, each weighted by its share, or the first by ``plus``."""
    p = np.mean(y == 1) if plus is None else plus
    means = [X[y == c].mean(axis=0).tolist() for c in (1, -1)]
    own, other = (np.cov(X[y == c], rowvar=False, bias=True).reshape(X.shape[1], -1) for c in (1, -1))
    return [float(np.mean(y == 1)), *means, p * own + (1 - p) * other]


def posterior(logs, subtract=lambda logs: logs.max(axis=1, keepdims=True)):
    odds = np.exp(logs - subtract(logs))
    return odds / odds.sum(axis=1, keepdims=True)


def risk(w, X, y, lam, sign=1, per=None, penalty=1.0, half=0.5):
    z = y * (X @ w)
    value = np.mean(np.logaddexp(0, -z)) + half * lam * w @ w
    return value, -sign * (y * expit(-z)) @ X / (per or len(y)) + penalty * lam * w


def steps(lam, tau, epsilon, rounded=math.ceil, slowest=max, size=abs, guard=True):
    r = slowest(size(1 - tau * value) for value in lam)
    if abs(r) >= 1:
        return None
    return 1 if guard and r <= epsilon else rounded(math.log(epsilon) / math.log(r))


def bisection(phi, c1, c2, tau=1.0):
    (start, slope0), low, high = phi(0.0), 0.0, math.inf
    while True:
        value, slope = phi(tau)
        if value > start + c1 * tau * slope0:
            high = tau
        elif slope < c2 * slope0:
            low = tau
        else:
            return tau
        tau = 2 * low if high == math.inf else (low + high) / 2


def backtracking(phi, c1, c2):
    (start, slope0), tau = phi(0.0), 1.0
    while phi(tau)[0] > start + c1 * tau * slope0:
        tau /= 2
    return tau


def doubling(phi, c1, c2):
    slope0, tau = phi(0.0)[1], 1e-9
    while phi(tau)[1] < c2 * slope0:
        tau *= 2
    return tau


def never_shrinking(phi, c1, c2):
    start, slope0 = phi(0.0)
    while phi(1.0)[0] > start + c1 * slope0 or phi(1.0)[1] < c2 * slope0:
        pass
    return 1.0


def conjugate_gradients(H, b, start=0.0, beta=lambda g_new, g: g_new @ g_new / (g @ g), n=None):
    w = np.full(len(b), start)
    g = H @ w - b if start else -b
    p = -g
    for _ in range(n or H.shape[0]):
        if np.linalg.norm(g) <= 1e-13 * np.linalg.norm(b):
            break
        product = H @ p
        tau = g @ g / (p @ product)
        w, g_new = w + tau * p, g + tau * product
        p, g = -g_new + beta(g_new, g) * p, g_new
    return w


def two_products(H, b):
    w, g, p = np.zeros(len(b)), -b, b
    for _ in range(len(b)):
        tau = g @ g / (p @ H @ p)
        w, g_new = w + tau * p, g + tau * (H @ p)
        p, g = -g_new + (g_new @ g_new) / (g @ g) * p, g_new
    return w


def many_products(H, b):
    for _ in range(5000):
        H @ b
    return b


BORDER = brentq(lambda w: np.sinh(w) - 2 * w, 2, 3, xtol=1e-15)  # from here the method goes to and fro


@pytest.mark.parametrize("ulps", range(-8, 9))
def test_a_start_that_goes_to_and_fro_for_ever_does_not_converge(ulps):
    start = w = BORDER + ulps * np.spacing(BORDER)
    for _ in range(60):
        w = w - np.sinh(np.clip(w, -30, 30))
    assert bool(logit.runaway.check(start)) == (abs(w) > 1)


TURN = np.array([[3.0, -4.0], [4.0, 3.0]]) / 5
SMALL = (0.1, 1e-3, 1e-6)
RIGHT = {
    perceptron.my_perceptron: [perceptron_with(lambda z: z <= 0, update) for update in (1.0, 0.01, 30.0)],
    perceptron.slow_sample: [(np.array([[1, 0], [-0.5, 0.01]]), np.array([1, 1]))],
    erm.best_interval: [best_interval],
    erm.bayes: [bayes],
    linear.my_ridge: [
        ridge,
        ridge_by_rows,
        lambda X, y, alpha: X.T @ np.linalg.solve(X @ X.T + alpha * np.eye(len(y)), y),
        lambda X, y, alpha: list(ridge(X, y, alpha)),
    ],
    linear.my_leave_one_out: [leave_one_out, in_lists(leave_one_out)],
    linear.calmer: [
        *((np.diag([1, small]), np.ones(2), np.array([0, 1])) for small in SMALL),
        *([(TURN @ np.diag([1, small]) @ TURN).tolist(), [5, 5], TURN[:, 1].tolist()] for small in SMALL),
        *(([[small], [0.0]], [1, 1], [1, 0]) for small in SMALL),
    ],
    gauss.my_fit: [gaussian_fit, gaussian_fit_by_weights],
    gauss.my_posterior: [
        posterior,
        lambda logs: np.exp(logs - logsumexp(logs, axis=1, keepdims=True)).tolist(),
        lambda logs: 1 / np.exp(logs[:, None, :] - logs[:, :, None]).sum(axis=2),
    ],
    logit.my_loss: [
        lambda z: np.logaddexp(0, -z),
        lambda z: np.log1p(np.exp(-np.abs(z))) + np.maximum(-z, 0),
        lambda z: [math.log1p(math.exp(-abs(t))) + max(-t, 0) for t in z],
    ],
    logit.my_risk: [risk, in_lists(risk), lambda *given: (np.array(risk(*given)[0]), risk(*given)[1])],
    optim.my_steps: [
        steps,
        lambda *given: steps(*given, rounded=lambda t: math.floor(t) + 1),
        lambda *given: steps(*given, rounded=np.ceil),
    ],
    optim.my_wolfe: [
        bisection,
        lambda *given: bisection(*given, tau=1e-6),
        lambda *given: np.array(bisection(*given, tau=1e6)),
        lambda phi, c1, c2: strong_wolfe(phi, 1.0, c1, c2),
    ],
    optim.my_cg: [
        conjugate_gradients,
        in_lists(conjugate_gradients),
        lambda H, b: conjugate_gradients(H, b, start=1.0),
    ],
    logit.runaway: [3, -2.5, np.float64(2.3), np.array(4.0), 1e5, BORDER + 1e-9],
    optim.counter_example: [
        (lambda w: w**3, 10.0),
        [lambda w: w**5, -5],
        (np.sinh, 10.0),
        (math.sinh, 10.0),
        (lambda w: -100 * w, 1.0),
        (lambda w: w**3 - w, 0.0),
        (lambda w: w**2, np.float64(1.0)),
        (lambda w: -np.sin(w), 0.0),
    ],
}
WRONG = {
    perceptron.my_perceptron: [
        (perceptron_with(lambda z: z < 0), "y * score <= 0"),
        (perceptron_with(lambda z: z <= 0, count=2), "you counted"),
        (perceptron_with(lambda z: z <= 0, update=-1.0), "updates"),
        (lambda X, y: (y @ X, len(y) if X[0, 0] == 1 else 1), "mistake"),
        (lambda X, y: (X[0] * np.nan, len(y)), "leave mistakes"),
        (lambda X, y: X[0], "a pair"),
    ],
    erm.best_interval: [
        *told("is possible", lambda x, y: (x.min(), x.max()), lambda x, y: (1.0, 0.0)),
        (lambda x, y: (np.where(y == 1, x, x + 1), x), "two numbers"),
        (lambda x, y: None, "a pair"),
        (lambda x, y: sys.exit(3), "your code raised SystemExit"),
    ],
    perceptron.slow_sample: [
        ((np.eye(2), np.array([1, 1])), "stops after 2"),
        ((np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1, -1])), "not separable"),
        ((np.eye(3), np.ones(3)), "two points"),
        ((np.eye(2), np.array([0, 1])), "labels"),
    ],
    erm.bayes: [
        (lambda P, labels, loss, predictions: np.ones(4), "is possible"),
        (lambda P, labels, loss, predictions: np.ones(3), "one prediction"),
        (lambda P, labels, loss, predictions: np.full(4, 7.0), "allowed"),
    ],
    linear.my_ridge: [
        (lambda *given: ridge_by_rows(*given, root=float), "square root"),
        (lambda X, y, alpha: ridge(X, y, len(y) * alpha), "gradient at your w"),
        (lambda X, y, alpha: ridge(X, y, alpha / 2), "gradient at your w"),
        (lambda X, y, alpha: ridge(X, y, 1e-12), "alpha ="),
        (lambda X, y, alpha: ridge(X - X.mean(axis=0), y - y.mean(), alpha), "not zero"),
        *told("not zero", lambda X, y, alpha: -ridge(X, y, alpha), lambda X, y, alpha: np.full(X.shape[1], np.nan)),
        (lambda X, y, alpha: ridge(X, y, alpha)[:, None], "got shape (3, 1)"),
        (lambda X, y, alpha: np.linalg.lstsq(X, y, rcond=None), "w should be"),
    ],
    linear.my_leave_one_out: [
        (lambda X, y, alpha: y - X @ ridge(X, y, alpha), "without example 0 of 12"),
        (lambda X, y, alpha: -leave_one_out(X, y, alpha), "sign"),
        (lambda X, y, alpha: y - leave_one_out(X, y, alpha), "you have"),
        (lambda X, y, alpha: leave_one_out(X, y, alpha) ** 2, "you have"),
        (lambda X, y, alpha: np.mean(leave_one_out(X, y, alpha) ** 2), "got shape ()"),
        (lambda X, y, alpha: leave_one_out(X, y, alpha) * np.nan, "you have nan"),
    ],
    linear.calmer: [
        ((np.eye(2), np.ones(2), np.array([0, 1])), "a factor of 2. Make one singular value of X tiny"),
        ((np.diag([1, 1e-3]), np.ones(2), np.array([1, 0])), "a factor of 2"),
        ((np.diag([1, 0.11]), np.ones(2), np.array([0, 1])), "a factor of 83.6"),
        ((np.eye(3)[:, :2], np.ones(3), np.array([0, 0, 1])), "delta is orthogonal"),
        ((np.zeros((3, 0)), np.ones(3), np.ones(3)), "delta is orthogonal"),
        ((np.eye(2), np.ones(2), np.zeros(2)), "must not be zero"),
        *told("rank", (np.ones((2, 2)), np.ones(2), np.ones(2)), (np.ones((1, 2)), np.ones(1), np.ones(1))),
        ((np.diag([1, np.nan]), np.ones(2), np.ones(2)), "finite"),
        ((np.eye(2), np.ones(3), np.ones(3)), "of shapes"),
        *told("3 things", (np.eye(2), np.ones(2)), ridge),
    ],
    gauss.my_fit: [
        *told("another Sigma", lambda X, y: gaussian_fit(X, y, ddof=1), lambda X, y: gaussian_fit(X, y, ddof=2)),
        (lambda X, y: gaussian_fit(X, y, own_means=False), "another Sigma"),
        (lambda X, y: gaussian_fit_by_weights(X, y, plus=0.5), "another Sigma"),
        (lambda X, y: gaussian_fit(X, y, swapped=True), "another mu_plus"),
        (lambda X, y: (np.mean(y == 1), X.mean(axis=0), *gaussian_fit(X, y)[2:]), "another mu_plus"),
        (lambda X, y: (*gaussian_fit(X, y)[:2], X.mean(axis=0), gaussian_fit(X, y)[3]), "another mu_minus"),
        (lambda X, y: (np.mean(y == -1), *gaussian_fit(X, y)[1:]), "another prior"),
        (lambda X, y: (0.5, *gaussian_fit(X, y)[1:]), "another prior"),
        (lambda X, y: (np.sum(y == 1), *gaussian_fit(X, y)[1:]), "between 0 and 1"),
        (lambda X, y: gaussian_fit(X, np.sort(y)[::-1]), "larger by"),
        (lambda X, y: (*gaussian_fit(X, y)[:3], np.diag(gaussian_fit(X, y)[3])), "Sigma"),
        (lambda X, y: (*gaussian_fit(X, y)[:3], -gaussian_fit(X, y)[3]), "not positive definite"),
        (lambda X, y: (*gaussian_fit(X, y)[:3], np.triu(gaussian_fit(X, y)[3])), "not positive definite"),
        (lambda X, y: (*gaussian_fit(X, y)[:3], np.diag([1.0] + [1e-20] * (X.shape[1] - 1))), "not positive definite"),
        (lambda X, y: (0.3, X[0] * np.nan, *gaussian_fit(X, y)[2:]), "finite"),
        (lambda X, y: gaussian_fit(X, y)[1:], "4 things"),
    ],
    gauss.my_posterior: [
        *told("[nan, nan]", lambda logs: posterior(logs, lambda logs: 0.0), lambda logs: posterior(logs, np.max)),
        (lambda logs: posterior(logs, lambda logs: logs.min(axis=1, keepdims=True)), "nan"),
        (lambda logs: posterior(logs, lambda logs: logs[:, :1]), "nan"),
        (lambda logs: posterior(np.clip(logs, -700, 700)), "[0.5, 0.5]"),
        *told("posteriors", lambda logs: posterior(logs.T).T, lambda logs: np.log(posterior(logs))),
        *told("posteriors are", lambda logs: posterior(-logs), lambda logs: np.eye(logs.shape[1])[logs.argmax(axis=1)]),
        (lambda logs: np.exp(logs - logs.max(axis=1, keepdims=True)), "posteriors"),
        (lambda logs: [*posterior(logs)[:-1], np.full(logs.shape[1], 1 / logs.shape[1])], "[0.5, 0.5]"),
        (lambda logs: posterior(logs)[:, 0], "(4,)"),
    ],
    logit.my_loss: [
        (lambda z: np.log(1 + np.exp(-z)), "overflow"),
        (lambda z: np.where(z > 0, np.log1p(np.exp(-z)), -z + np.log1p(np.exp(z))), "overflow"),
        (lambda z: -np.log(expit(z)), "a warning"),
        *told("at z = -40 the loss is 40", lambda z: np.logaddexp(0, z), lambda z: np.logaddexp(0, -z) / np.log(2)),
        (lambda z: np.log1p(np.exp(-np.clip(z, -500, 500))), "at z = -10000 the loss is 10000, you have 500"),
        (lambda z: np.log(1 + np.exp(-np.abs(z))) + np.maximum(-z, 0), "at z = 10.5"),
        (lambda z: np.maximum(-z, 0), "at z = "),
        (lambda z: np.mean(np.logaddexp(0, -z)), "got shape ()"),
        (lambda z: [math.log(1 + math.exp(-t)) for t in z[::-1]], "your code raised OverflowError"),
    ],
    logit.my_risk: [
        (lambda *given: risk(*given, sign=-1), "the sign is turned"),
        (lambda *given: risk(*given, per=1), "the 1/m is missing"),
        (lambda *given: risk(*given, penalty=0), "The penalty gives 0 lam w"),
        (lambda *given: risk(*given, penalty=0.5), "The penalty gives 0.5 lam w"),
        (lambda *given: risk(*given, half=1.0), "lam = 0.5"),
        (lambda w, X, y, lam: (len(y) * risk(w, X, y, lam)[0], risk(w, X, y, lam)[1]), "the value is not right"),
        (lambda w, X, y, lam: risk(w, X, (1 + y) / 2, lam), "the value is"),
        (lambda w, X, y, lam: (np.logaddexp(0, -y * (X @ w)), risk(w, X, y, lam)[1]), "value should be a number"),
        *told("value should be a number", lambda *given: risk(*given)[::-1], lambda *given: (None, risk(*given)[1])),
        (lambda *given: (risk(*given)[0], risk(*given)[1][:, None]), "(3, 1)"),
        (lambda *given: (risk(*given)[0], risk(*given)[1] * np.nan), "[nan, nan, nan]"),
        (lambda *given: risk(*given)[0], "a pair (value, gradient)"),
    ],
    logit.runaway: [
        (0, "goes 0, 0, 0, 0, ... to 0"),
        (2.0, "goes 2, -1.63"),
        (-1, "goes -1, 0.175"),
        (BORDER - 1e-9, "to 0"),
        (math.inf, "finite number, got inf"),
        (math.nan, "finite number, got nan"),
        *told("number", [3.0], "far", risk),
    ],
    optim.my_steps: [
        (lambda *given: steps(*given, rounded=math.floor), "a coordinate is still"),
        (lambda *given: steps(*given, rounded=lambda t: math.ceil(t) + 1), "would have been enough"),
        *told("a whole number", lambda *given: steps(*given, rounded=float), lambda *given: None, lambda *given: -1),
        (lambda *given: steps(*given, slowest=min), "a coordinate"),
        (lambda *given: steps(*given, size=lambda factor: factor), "never shrinks"),
        (lambda lam, tau, epsilon: steps(lam[lam == lam.max()], tau, epsilon), "a coordinate is still"),
        (lambda *given: steps(*given, guard=False), "your code raised ValueError: "),
        (lambda *given: steps(*given) or math.inf, "never shrinks"),
        (lambda *given: 0, "after 0 steps a coordinate is still 1"),
    ],
    optim.my_wolfe: [
        *told("too short a step", backtracking, lambda phi, c1, c2: 1e-12),
        *told("too little decrease", doubling, lambda phi, c1, c2: 1e12),
        *told("2000 trial steps", lambda phi, c1, c2: bisection(phi, c2, c1), never_shrinking),
        *told("not a step downhill", lambda phi, c1, c2: 0.0, lambda phi, c1, c2: -1.0),
        (lambda phi, c1, c2: math.nan, "got nan"),
        (lambda phi, c1, c2: math.inf, "got inf"),
        (lambda phi, c1, c2: phi(1.0), "the step should be a number"),
    ],
    optim.counter_example: [
        *told("looks like a local minimum", (lambda w: w, 1.0), (lambda w: w**3, 0.0), (lambda w: 0 * w, 1.0)),
        ((lambda w: 0.05 * w, 1.0), "neither far away nor a critical point"),
        ((lambda w: 100 * w, 1.0), "come back"),  # the hundredth step goes exactly to the minimum
        ((lambda w: 1e4 * w, 1.0), "come back"),
        *told("start between", (lambda w: 0 * w, 2e6), (lambda w: 0.001 * w, 1e9), (lambda w: w, math.nan)),
        ((lambda w: math.nan, 1.0), "not a number"),
        ((lambda w: w**3, [10.0]), "w0 should be a number"),
        ((10.0, lambda w: w**3), "a function gradient(w)"),
        ((lambda w: w**3), "a pair (gradient, w0)"),
    ],
    optim.my_cg: [
        (lambda H, b: conjugate_gradients(H, b, beta=lambda g_new, g: 0.0), "conjugate?"),
        (lambda H, b: conjugate_gradients(H, b, beta=lambda g_new, g: -(g_new @ g_new) / (g @ g)), "conjugate?"),
        (lambda H, b: conjugate_gradients(H, b, beta=lambda new, g: (g @ g) / (new @ new + 1e-300)), "conjugate?"),
        (lambda H, b: conjugate_gradients(H, b, beta=lambda g_new, g: 0.0, n=900), "products"),
        (lambda H, b: conjugate_gradients(H, b, n=max(1, len(b) - 1)), "H w differs from b"),
        (lambda H, b: -conjugate_gradients(H, b), "H w differs from b by 2.0e+00"),
        (lambda H, b: conjugate_gradients(H, b)[:, None], "got shape (1, 1)"),
        (two_products, "products are allowed"),
        (lambda H, b: np.linalg.solve(np.column_stack([H @ e for e in np.eye(len(b))]), b), "products are allowed"),
        (lambda H, b: np.linalg.solve(H @ np.eye(len(b)), b), "vectors only"),
        (many_products, "does your loop end?"),
        (lambda H, b: np.linalg.solve(H, b), "your code raised"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)


FUNCTIONS = [q for q in RIGHT if q.parameters.startswith("answer(") and q is not erm.bayes]


@pytest.mark.parametrize("question", FUNCTIONS, ids=lambda question: question.label)
def test_a_result_of_another_kind_is_shown(question):
    is_told(question, lambda *given: "forty-two", "forty-two")
    if question is not optim.my_steps:  # where None is an answer
        is_told(question, lambda *given: None, "got None")
