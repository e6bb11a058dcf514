"""The checks of the chapters' exercises accept right answers and say what is wrong with planted wrong ones."""

import math
import sys

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logsumexp

from mlcourse.optim.line_search import strong_wolfe
from mlcourse_homework.chapters import convex_optimization as chapter_convex_optimization
from mlcourse_homework.chapters import erm as chapter_erm
from mlcourse_homework.chapters import gaussian_discriminant as chapter_gaussian_discriminant
from mlcourse_homework.chapters import linear_regression as chapter_linear_regression
from mlcourse_homework.chapters import logistic_regression as chapter_logistic_regression
from mlcourse_homework.chapters import perceptron as chapter_perceptron


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


@pytest.mark.parametrize("update", [1.0, 0.01, 30.0])
def test_perceptron_right_answers(update):
    assert chapter_perceptron.my_perceptron.check(perceptron_with(lambda z: z <= 0, update))


@pytest.mark.parametrize(
    "answer, message",
    [
        (perceptron_with(lambda z: z < 0), "y * score <= 0"),
        (perceptron_with(lambda z: z <= 0, count=2), "you counted"),
        (perceptron_with(lambda z: z <= 0, update=-1.0), "updates"),
        (lambda X, y: (y @ X, len(y) if X[0, 0] == 1 else 1), "mistake"),
        (lambda X, y: (X[0] * np.nan, len(y)), "leave mistakes"),
        (lambda X, y: X[0], "a pair"),
        (lambda X, y: 1 / 0, "ZeroDivisionError"),
        (None, "no answer"),
    ],
)
def test_perceptron_wrong_answers(answer, message):
    verdict = chapter_perceptron.my_perceptron.check(answer)
    assert not verdict and message in verdict.message and str(verdict).startswith("not ")


@pytest.mark.parametrize(
    "answer, message",
    [
        ((np.eye(2), np.array([1, 1])), "stops after 2"),
        ((np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1, -1])), "not separable"),
        ((np.eye(3), np.ones(3)), "two points"),
        ((np.eye(2), np.array([0, 1])), "labels"),
    ],
)
def test_slow_sample(answer, message):
    assert message in chapter_perceptron.slow_sample.check(answer).message
    assert chapter_perceptron.slow_sample.check((np.array([[1, 0], [-0.5, 0.01]]), np.array([1, 1])))


def best_interval(x, y):
    """Brute force: every pair of values."""
    pairs = [(a, b) for a in x for b in x] + [(1.0, 0.0)]
    return min(pairs, key=lambda p: np.mean(np.where((p[0] <= x) & (x <= p[1]), 1, -1) != y))


def test_best_interval_right_answer():
    assert chapter_erm.best_interval.check(best_interval)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda x, y: (x.min(), x.max()), "is possible"),
        (lambda x, y: (1.0, 0.0), "is possible"),
        (lambda x, y: (np.where(y == 1, x, x + 1), x), "two numbers"),
        (lambda x, y: None, "a pair"),
    ],
)
def test_best_interval_wrong_answers(answer, message):
    assert message in chapter_erm.best_interval.check(answer).message


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda P, labels, loss, predictions: np.ones(4), "is possible"),
        (lambda P, labels, loss, predictions: np.ones(3), "one prediction"),
        (lambda P, labels, loss, predictions: np.full(4, 7.0), "allowed"),
    ],
)
def test_bayes_wrong_answers(answer, message):
    assert message in chapter_erm.bayes.check(answer).message


def test_an_error_is_shown_at_the_students_line():
    def answer(x, y):
        return undefined_name  # noqa: F821

    def answer_in_numpy(x, y):
        return np.linalg.inv(np.zeros((2, 2)))  # the error arises inside NumPy

    assert "return undefined_name" in chapter_erm.best_interval.check(answer).message
    assert "np.linalg.inv(np.zeros" in chapter_erm.best_interval.check(answer_in_numpy).message
    assert "SystemExit" in chapter_erm.best_interval.check(lambda x, y: sys.exit(3)).message


LINEAR, GAUSS = chapter_linear_regression, chapter_gaussian_discriminant
LOGIT, OPTIM = chapter_logistic_regression, chapter_convex_optimization


def ridge(X, y, alpha):
    return np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T @ y)


def ridge_by_rows(X, y, alpha, root=np.sqrt):
    d = X.shape[1]
    rows = np.vstack([X, root(alpha) * np.eye(d)])
    return np.linalg.lstsq(rows, np.append(y, np.zeros(d)), rcond=None)[0]


def ridge_by_kernel(X, y, alpha):
    return X.T @ np.linalg.solve(X @ X.T + alpha * np.eye(len(y)), y)


def ridge_by_descent(X, y, alpha):
    w, step = np.zeros(X.shape[1]), 1 / (np.linalg.norm(X, 2) ** 2 + alpha)
    for _ in range(20_000):
        w += step * (X.T @ (y - X @ w) - alpha * w)
    return w


def centred(X, y, alpha):
    return ridge(X - X.mean(axis=0), y - y.mean(), alpha)


def leave_one_out(X, y, alpha):
    solved = np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T)
    return (y - X @ (solved @ y)) / (1 - np.sum(X * solved.T, axis=1))


def leave_one_out_slowly(X, y, alpha):
    rest = [np.delete(np.arange(len(y)), i) for i in range(len(y))]
    return [y[i] - X[i] @ ridge(X[r], y[r], alpha) for i, r in enumerate(rest)]


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


def loss_by_cases(z):
    value, right = np.empty_like(z), z >= 0
    value[right] = np.log1p(np.exp(-z[right]))
    value[~right] = -z[~right] + np.log1p(np.exp(z[~right]))
    return value


def risk(w, X, y, lam, sign=1, per=None, penalty=1.0, half=0.5):
    z = y * (X @ w)
    value = np.mean(np.logaddexp(0, -z)) + half * lam * w @ w
    return value, -sign * (y * expit(-z)) @ X / (per or len(y)) + penalty * lam * w


def risk_by_loop(w, X, y, lam):
    scores = [float(x @ w) for x in X]
    value = sum(math.log(1 + math.exp(-s * u)) for s, u in zip(scores, y, strict=True)) / len(y)
    slopes = [expit(s) - (1 + u) / 2 for s, u in zip(scores, y, strict=True)]
    gradient = sum(slope * x for slope, x in zip(slopes, X, strict=True)) / len(y) + lam * w
    return [value + lam / 2 * sum(w**2), gradient.tolist()]


def steps(lam, tau, epsilon, rounded=math.ceil, slowest=max, size=abs, guard=True):
    r = slowest(size(1 - tau * value) for value in lam)
    if abs(r) >= 1:
        return None
    return 1 if guard and r <= epsilon else rounded(math.log(epsilon) / math.log(r))


def steps_by_search(lam, tau, epsilon):
    r, t = np.abs(1 - tau * lam).max(), 1
    if r >= 1:
        return None
    while r**t > epsilon:
        t *= 2
    return np.int64(next(s for s in range(t // 2 if t > 1 else 1, t + 1) if r**s <= epsilon))


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


def conjugacy(H, b):
    """Conjugate gradients with beta from the definition of conjugacy."""
    w, r = np.zeros(len(b)), b
    p = r
    while np.linalg.norm(r) > 1e-8:
        product = H @ p
        curve = p @ product
        tau = r @ p / curve
        w, r = w + tau * p, r - tau * product
        p = r - (r @ product) / curve * p
    return w.tolist()


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


def columns(H, b):
    return np.linalg.solve(np.column_stack([H @ e for e in np.eye(len(b))]), b)


FUNCTIONS = [
    (LINEAR.my_ridge, ridge),
    (LINEAR.my_leave_one_out, leave_one_out),
    (GAUSS.my_fit, gaussian_fit),
    (GAUSS.my_posterior, posterior),
    (LOGIT.my_loss, loss_by_cases),
    (LOGIT.my_risk, risk),
    (OPTIM.my_steps, steps),
    (OPTIM.my_wolfe, bisection),
    (OPTIM.my_cg, conjugate_gradients),
]
OBJECTS = [LINEAR.calmer, LOGIT.runaway, OPTIM.counter_example]
named = {"ids": lambda value: getattr(value, "__name__", None)}


def wrong(question, answer, message):
    verdict = question.check(answer)
    assert not verdict and message in verdict.message, verdict
    assert ("your code raised" in verdict.message) == ("your code raised" in message), "the check itself failed"


@pytest.mark.parametrize("question", [question for question, _ in FUNCTIONS] + OBJECTS, **named)
@pytest.mark.parametrize("answer", [None, ...])
def test_an_empty_answer_is_no_answer(question, answer):
    wrong(question, answer, "no answer")


@pytest.mark.parametrize("question, answer", FUNCTIONS, **named)
def test_an_answer_may_overwrite_its_arguments(question, answer):
    def careless(*arguments):
        result = answer(*arguments)
        for array in arguments:
            if isinstance(array, np.ndarray):
                array[...] = 7
        return result

    assert question.check(careless)


@pytest.mark.parametrize("question, answer", FUNCTIONS, **named)
def test_answers_that_are_no_functions_or_fail_or_return_nothing(question, answer):
    wrong(question, 3.0, "a function")
    wrong(question, lambda *arguments: 1 / 0, "your code raised ZeroDivisionError: division by zero (line")
    wrong(question, lambda: answer, "your code raised TypeError")
    wrong(question, lambda *arguments: "forty-two", "forty-two")
    if question is not OPTIM.my_steps:  # where None is an answer
        wrong(question, lambda *arguments: None, "got None")


@pytest.mark.parametrize(
    "question, answer",
    [
        (LINEAR.my_ridge, ridge_by_rows),
        (LINEAR.my_ridge, ridge_by_kernel),
        (LINEAR.my_ridge, ridge_by_descent),
        (LINEAR.my_ridge, lambda X, y, alpha: list(ridge(X, y, alpha))),
        (LINEAR.my_leave_one_out, leave_one_out_slowly),
        (GAUSS.my_fit, gaussian_fit_by_weights),
        (GAUSS.my_posterior, lambda logs: np.exp(logs - logsumexp(logs, axis=1, keepdims=True)).tolist()),
        (GAUSS.my_posterior, lambda logs: 1 / np.exp(logs[:, None, :] - logs[:, :, None]).sum(axis=2)),
        (LOGIT.my_loss, lambda z: np.logaddexp(0, -z)),
        (LOGIT.my_loss, lambda z: np.log1p(np.exp(-np.abs(z))) + np.maximum(-z, 0)),
        (LOGIT.my_loss, lambda z: [math.log1p(math.exp(-abs(t))) + max(-t, 0) for t in z]),
        (LOGIT.my_risk, risk_by_loop),
        (LOGIT.my_risk, lambda *arguments: (np.array(risk(*arguments)[0]), risk(*arguments)[1])),
        (OPTIM.my_steps, steps_by_search),
        (OPTIM.my_steps, lambda *arguments: steps(*arguments, rounded=lambda t: math.floor(t) + 1)),
        (OPTIM.my_steps, lambda *arguments: steps(*arguments, rounded=np.ceil)),
        (OPTIM.my_wolfe, lambda *arguments: bisection(*arguments, tau=1e-6)),
        (OPTIM.my_wolfe, lambda *arguments: np.array(bisection(*arguments, tau=1e6))),
        (OPTIM.my_wolfe, lambda phi, c1, c2: strong_wolfe(phi, 1.0, c1, c2)),
        (OPTIM.my_cg, conjugacy),
        (OPTIM.my_cg, lambda H, b: conjugate_gradients(H, b, start=1.0)),
    ],
    **named,
)
def test_other_right_answers(question, answer):
    verdict = question.check(answer)
    assert verdict, verdict


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda *arguments: ridge_by_rows(*arguments, root=float), "square root"),
        (lambda X, y, alpha: ridge(X, y, len(y) * alpha), "gradient at your w"),
        (lambda X, y, alpha: ridge(X, y, alpha / 2), "gradient at your w"),
        (lambda X, y, alpha: ridge(X, y, 1e-12), "alpha ="),
        (centred, "not zero"),
        (lambda X, y, alpha: -ridge(X, y, alpha), "not zero"),
        (lambda X, y, alpha: ridge(X, y, alpha)[:, None], "got shape (3, 1)"),
        (lambda X, y, alpha: np.full(X.shape[1], np.nan), "not zero"),
        (lambda X, y, alpha: np.linalg.lstsq(X, y, rcond=None), "w should be"),
    ],
)
def test_ridge_wrong_answers(answer, message):
    wrong(LINEAR.my_ridge, answer, message)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda X, y, alpha: y - X @ ridge(X, y, alpha), "without example 0 of 12"),
        (lambda X, y, alpha: -leave_one_out(X, y, alpha), "sign"),
        (lambda X, y, alpha: y - leave_one_out(X, y, alpha), "you have"),
        (lambda X, y, alpha: leave_one_out(X, y, alpha) ** 2, "you have"),
        (lambda X, y, alpha: np.mean(leave_one_out(X, y, alpha) ** 2), "got shape ()"),
        (lambda X, y, alpha: leave_one_out(X, y, alpha) * np.nan, "you have nan"),
    ],
)
def test_leave_one_out_wrong_answers(answer, message):
    wrong(LINEAR.my_leave_one_out, answer, message)


@pytest.mark.parametrize("epsilon", [0.1, 1e-3, 1e-6])
def test_calmer_right_answers(epsilon):
    turn = np.array([[3.0, -4.0], [4.0, 3.0]]) / 5
    assert LINEAR.calmer.check((np.diag([1, epsilon]), np.ones(2), np.array([0, 1])))
    assert LINEAR.calmer.check([(turn @ np.diag([1, epsilon]) @ turn).tolist(), [5, 5], turn[:, 1].tolist()])
    assert LINEAR.calmer.check(([[epsilon], [0.0]], [1, 1], [1, 0]))


@pytest.mark.parametrize(
    "answer, message",
    [
        ((np.eye(2), np.ones(2), np.array([0, 1])), "a factor of 2. Make one singular value of X tiny"),
        ((np.diag([1, 1e-3]), np.ones(2), np.array([1, 0])), "a factor of 2"),
        ((np.diag([1, 0.11]), np.ones(2), np.array([0, 1])), "a factor of 83.6"),
        ((np.eye(3)[:, :2], np.ones(3), np.array([0, 0, 1])), "delta is orthogonal"),
        ((np.zeros((3, 0)), np.ones(3), np.ones(3)), "delta is orthogonal"),
        ((np.eye(2), np.ones(2), np.zeros(2)), "must not be zero"),
        ((np.ones((2, 2)), np.ones(2), np.ones(2)), "rank"),
        ((np.ones((1, 2)), np.ones(1), np.ones(1)), "rank"),
        ((np.diag([1, np.nan]), np.ones(2), np.ones(2)), "finite"),
        ((np.eye(2), np.ones(3), np.ones(3)), "of shapes"),
        ((np.eye(2), np.ones(2)), "three arrays"),
        (ridge, "three arrays"),
    ],
)
def test_calmer_wrong_answers(answer, message):
    wrong(LINEAR.calmer, answer, message)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda X, y: gaussian_fit(X, y, ddof=1), "another Sigma"),
        (lambda X, y: gaussian_fit(X, y, ddof=2), "another Sigma"),
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
        (lambda X, y: gaussian_fit(X, y)[1:], "four things"),
    ],
)
def test_gaussian_fit_wrong_answers(answer, message):
    wrong(GAUSS.my_fit, answer, message)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda logs: posterior(logs, lambda logs: 0.0), "[nan nan]"),
        (lambda logs: posterior(logs, np.max), "you have [nan nan]"),
        (lambda logs: posterior(logs, lambda logs: logs.min(axis=1, keepdims=True)), "nan"),
        (lambda logs: posterior(logs, lambda logs: logs[:, :1]), "nan"),
        (lambda logs: posterior(np.clip(logs, -700, 700)), "you have [0.5 0.5]"),
        (lambda logs: posterior(logs.T).T, "posteriors"),
        (lambda logs: posterior(-logs), "the posteriors are"),
        (lambda logs: np.exp(logs - logs.max(axis=1, keepdims=True)), "posteriors"),
        (lambda logs: np.log(posterior(logs)), "posteriors"),
        (lambda logs: np.eye(logs.shape[1])[logs.argmax(axis=1)], "the posteriors are"),
        (lambda logs: [*posterior(logs)[:-1], np.full(logs.shape[1], 1 / logs.shape[1])], "you have [0.5 0.5]"),
        (lambda logs: posterior(logs)[:, 0], "(4,)"),
    ],
)
def test_posterior_wrong_answers(answer, message):
    wrong(GAUSS.my_posterior, answer, message)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda z: np.log(1 + np.exp(-z)), "overflow"),
        (lambda z: np.where(z > 0, np.log1p(np.exp(-z)), -z + np.log1p(np.exp(z))), "overflow"),
        (lambda z: -np.log(expit(z)), "a warning"),
        (lambda z: np.logaddexp(0, z), "at z = -40 the loss is 40"),
        (lambda z: np.logaddexp(0, -z) / np.log(2), "at z = -40 the loss is 40"),
        (lambda z: np.log1p(np.exp(-np.clip(z, -500, 500))), "at z = -10000 the loss is 10000, you have 500"),
        (lambda z: np.log(1 + np.exp(-np.abs(z))) + np.maximum(-z, 0), "at z = 10.5"),
        (lambda z: np.maximum(-z, 0), "at z = "),
        (lambda z: np.mean(np.logaddexp(0, -z)), "got shape ()"),
        (lambda z: [math.log(1 + math.exp(-t)) for t in z[::-1]], "your code raised OverflowError"),
    ],
)
def test_loss_wrong_answers(answer, message):
    wrong(LOGIT.my_loss, answer, message)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda *arguments: risk(*arguments, sign=-1), "the sign is turned"),
        (lambda *arguments: risk(*arguments, per=1), "the 1/m is missing"),
        (lambda *arguments: risk(*arguments, penalty=0), "lam = 0.5 finite differences give the gradient"),
        (lambda *arguments: risk(*arguments, penalty=0.5), "Your penalty contributes 0.5 lam w"),
        (lambda *arguments: risk(*arguments, half=1.0), "lam = 0.5 the value is"),
        (lambda w, X, y, lam: (len(y) * risk(w, X, y, lam)[0], risk(w, X, y, lam)[1]), "lam = 0.0 the value is"),
        (lambda w, X, y, lam: risk(w, X, (1 + y) / 2, lam), "the value is"),
        (lambda w, X, y, lam: (np.logaddexp(0, -y * (X @ w)), risk(w, X, y, lam)[1]), "value should be a number"),
        (lambda *arguments: risk(*arguments)[::-1], "value should be a number"),
        (lambda *arguments: (None, risk(*arguments)[1]), "value should be a number"),
        (lambda *arguments: (risk(*arguments)[0], risk(*arguments)[1][:, None]), "(3, 1)"),
        (lambda *arguments: (risk(*arguments)[0], risk(*arguments)[1] * np.nan), "you have [nan nan nan]"),
        (lambda *arguments: risk(*arguments)[0], "a pair (value, gradient)"),
    ],
)
def test_risk_wrong_answers(answer, message):
    wrong(LOGIT.my_risk, answer, message)


BORDER = brentq(lambda w: np.sinh(w) - 2 * w, 2, 3, xtol=1e-15)  # from here the method goes to and fro


@pytest.mark.parametrize("start", [3, -2.5, np.float64(2.3), np.array(4.0), 1e5, BORDER + 1e-9])
def test_runaway_starts(start):
    assert LOGIT.runaway.check(start)


@pytest.mark.parametrize("ulps", range(-8, 9))
def test_a_start_that_goes_to_and_fro_for_ever_does_not_converge(ulps):
    start = w = BORDER + ulps * np.spacing(BORDER)
    for _ in range(60):
        w = w - np.sinh(np.clip(w, -30, 30))
    assert bool(LOGIT.runaway.check(start)) == (abs(w) > 1)


@pytest.mark.parametrize(
    "start, message",
    [
        (0, "goes 0, 0, 0, 0, ... to 0"),
        (2.0, "goes 2, -1.63"),
        (-1, "goes -1, 0.175"),
        (BORDER - 1e-9, "to 0"),
        (math.inf, "number is expected, got inf"),
        (math.nan, "number is expected, got nan"),
        ([3.0], "number"),
        ("far", "number"),
        (risk, "number"),
    ],
)
def test_starts_that_do_not_run_away(start, message):
    wrong(LOGIT.runaway, start, message)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda *arguments: steps(*arguments, rounded=math.floor), "a coordinate is still"),
        (lambda *arguments: steps(*arguments, rounded=lambda t: math.ceil(t) + 1), "would have been enough"),
        (lambda *arguments: steps(*arguments, rounded=float), "a whole number"),
        (lambda *arguments: steps(*arguments, slowest=min), "a coordinate"),
        (lambda *arguments: steps(*arguments, size=lambda factor: factor), "never shrinks"),
        (lambda lam, tau, epsilon: steps(lam[lam == lam.max()], tau, epsilon), "a coordinate is still"),
        (lambda *arguments: steps(*arguments, guard=False), "your code raised ValueError: "),
        (lambda *arguments: steps(*arguments) or math.inf, "never shrinks"),
        (lambda *arguments: None, "a whole number"),
        (lambda *arguments: 0, "after 0 steps a coordinate is still 1"),
        (lambda *arguments: -1, "a whole number"),
    ],
)
def test_steps_wrong_answers(answer, message):
    wrong(OPTIM.my_steps, answer, message)


@pytest.mark.parametrize(
    "answer, message",
    [
        (backtracking, "too short a step"),
        (doubling, "too little decrease"),
        (lambda phi, c1, c2: bisection(phi, c2, c1), "2000 trial steps"),
        (never_shrinking, "2000 trial steps"),
        (lambda phi, c1, c2: 1e-12, "too short a step"),
        (lambda phi, c1, c2: 1e12, "too little decrease"),
        (lambda phi, c1, c2: 0.0, "not a step downhill"),
        (lambda phi, c1, c2: -1.0, "not a step downhill"),
        (lambda phi, c1, c2: math.nan, "got nan"),
        (lambda phi, c1, c2: math.inf, "got inf"),
        (lambda phi, c1, c2: phi(1.0), "the step should be a number"),
    ],
)
def test_wolfe_wrong_answers(answer, message):
    wrong(OPTIM.my_wolfe, answer, message)


@pytest.mark.parametrize(
    "answer",
    [
        (lambda w: w**3, 10.0),
        [lambda w: w**5, -5],
        (np.sinh, 10.0),
        (math.sinh, 10.0),
        (lambda w: -100 * w, 1.0),
        (lambda w: w**3 - w, 0.0),
        (lambda w: w**2, np.float64(1.0)),
        (lambda w: -np.sin(w), 0.0),
    ],
)
def test_counter_examples(answer):
    verdict = OPTIM.counter_example.check(answer)
    assert verdict, verdict


@pytest.mark.parametrize(
    "answer, message",
    [
        ((lambda w: w, 1.0), "looks like a local minimum"),
        ((lambda w: w**3, 0.0), "looks like a local minimum"),
        ((lambda w: 0 * w, 1.0), "looks like a local minimum"),
        ((lambda w: 0.05 * w, 1.0), "neither far away nor a critical point"),
        ((lambda w: 100 * w, 1.0), "come back"),  # the hundredth step goes exactly to the minimum
        ((lambda w: 1e4 * w, 1.0), "come back"),
        ((lambda w: 0 * w, 2e6), "start between"),
        ((lambda w: 0.001 * w, 1e9), "start between"),
        ((lambda w: w, math.nan), "start between"),
        ((lambda w: math.nan, 1.0), "not a number"),
        ((lambda w: w**3, [10.0]), "w0 should be a number"),
        ((10.0, lambda w: w**3), "a function gradient(w)"),
        ((lambda w: w**3), "a pair (gradient, w0)"),
    ],
)
def test_no_counter_examples(answer, message):
    wrong(OPTIM.counter_example, answer, message)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda H, b: conjugate_gradients(H, b, beta=lambda g_new, g: 0.0), "conjugate?"),
        (lambda H, b: conjugate_gradients(H, b, beta=lambda g_new, g: -(g_new @ g_new) / (g @ g)), "conjugate?"),
        (lambda H, b: conjugate_gradients(H, b, beta=lambda g_new, g: (g @ g) / (g_new @ g_new)), "conjugate?"),
        (lambda H, b: conjugate_gradients(H, b, beta=lambda g_new, g: 0.0, n=900), "products"),
        (lambda H, b: conjugate_gradients(H, b, n=max(1, len(b) - 1)), "H w differs from b"),
        (lambda H, b: -conjugate_gradients(H, b), "H w differs from b by 2.0e+00"),
        (lambda H, b: conjugate_gradients(H, b)[:, None], "got shape (1, 1)"),
        (two_products, "products are allowed"),
        (columns, "products are allowed"),
        (lambda H, b: np.linalg.solve(H @ np.eye(len(b)), b), "vectors only"),
        (many_products, "does your loop end?"),
        (lambda H, b: np.linalg.solve(H, b), "your code raised"),
    ],
)
def test_conjugate_gradients_wrong_answers(answer, message):
    wrong(OPTIM.my_cg, answer, message)
