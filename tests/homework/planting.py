"""How answers are planted: with named faults, and in the exercises of the chapters by two tables."""

import functools

import numpy as np
import pytest


def planted_tests(right, wrong):
    """The tests of two tables: question -> right answers, and question -> (wrong answer, words of its verdict)."""
    accepted = [pytest.param(q, a, id=f"{q.label}-{i}") for q in right for i, a in enumerate(right[q])]
    refused = [pytest.param(q, *row, id=f"{q.label}-{i}") for q in wrong for i, row in enumerate(wrong[q])]
    functions = [pytest.param(q, right[q][0], id=q.label) for q in right if q.parameters.startswith("answer(")]

    @pytest.mark.parametrize("question, answer", accepted)
    def test_right_answers(question, answer):
        verdict = question.check(answer)
        assert verdict.right, verdict

    @pytest.mark.parametrize("question, answer, words", refused)
    def test_wrong_answers(question, answer, words):
        is_told(question, answer, words)

    @pytest.mark.parametrize("question, answer", functions)
    def test_functions(question, answer):
        def careless(*arguments):
            result = answer(*arguments)
            for array in arguments:
                if isinstance(array, np.ndarray):
                    array[...] = 7
            return result

        verdict = question.check(careless)
        assert verdict.right or "your function changed" in verdict.message, "answers may overwrite their arguments"
        is_told(question, 3.0, "a function")
        is_told(question, lambda *arguments: [][0], "your code raised IndexError: list index out of range (line")
        is_told(question, lambda: answer, "your code raised TypeError")

    return test_right_answers, test_wrong_answers, test_functions


def is_told(question, answer, words, raised=None):
    """The answer is refused with these words, and not because the check itself failed."""
    verdict = question.check(answer)
    assert verdict.status == "not yet" and words in str(verdict), verdict
    assert ("your code raised" in str(verdict)) == ("raised" in words if raised is None else raised), verdict


def told(words, *answers):
    """Rows of a table: these answers, each with these words."""
    return [(answer, words) for answer in answers]


def with_faults(answer):
    """A right answer that knows faults: called with their names alone, it becomes the answer that has them."""

    @functools.wraps(answer)
    def call(*arguments, **faults):
        return answer(*arguments, **faults) if arguments else functools.partial(answer, **faults)

    return call


def listed(value):
    """Arrays and tuples as lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [listed(part) for part in value] if isinstance(value, tuple | list) else value


def in_lists(answer):
    """A right answer whose results are lists."""
    return lambda *given: listed(answer(*given))


def in_float32(answer):
    """A right answer whose results are of single precision, and parts of a list if there are several."""

    def call(*given):
        result = answer(*given)
        return [*map(np.float32, result)] if isinstance(result, tuple | list) else np.float32(result)

    return call
