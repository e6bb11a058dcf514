"""The checks of the chapters' exercises accept right answers and say what is wrong with planted wrong ones."""

import sys

import numpy as np
import pytest

from mlcourse.homework import chapter_erm, chapter_perceptron


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
    assert not verdict and message in verdict.message and str(verdict).startswith("not yet")


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
