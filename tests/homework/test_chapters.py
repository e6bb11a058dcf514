"""The checks of the chapters' exercises accept right answers and say what is wrong with planted wrong ones."""

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
        (perceptron_with(lambda z: z < 0), "strict"),
        (perceptron_with(lambda z: z <= 0, count=2), "you counted"),
        (perceptron_with(lambda z: z <= 0, update=-1.0), "updates"),
        (lambda X, y: (y @ X, len(y) if X[0, 0] == 1 else 1), "mistake"),
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
        ((np.eye(2), np.array([1, 1])), "stops after 2 updates"),
        ((np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1, -1])), "not separable"),
        ((np.eye(3), np.ones(3)), "two points"),
        ((np.eye(2), np.array([0, 1])), "labels"),
    ],
)
def test_slow_sample(answer, message):
    assert message in chapter_perceptron.slow_sample.check(answer).message
    assert chapter_perceptron.slow_sample.check((np.array([[1, 0], [-0.5, 0.01]]), np.array([1, 1])))


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda x, y: (np.median(x), 1), "is possible"),
        (lambda x, y: (-np.inf, 1 if y.sum() >= 0 else -1), "is possible"),
        (lambda x, y: (0.0, 0), "sign s"),
    ],
)
def test_best_threshold_wrong_answers(answer, message):
    assert message in chapter_erm.best_threshold.check(answer).message


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda P, labels, loss, predictions: np.ones(4), "the Bayes risk is"),
        (lambda P, labels, loss, predictions: np.ones(3), "one prediction"),
        (lambda P, labels, loss, predictions: np.full(4, 7.0), "allowed"),
    ],
)
def test_bayes_wrong_answers(answer, message):
    assert message in chapter_erm.bayes.check(answer).message


def test_an_error_is_shown_at_the_students_line():
    def answer(x, y):
        return undefined_name  # noqa: F821

    assert "undefined_name" in chapter_erm.best_threshold.check(answer).message
