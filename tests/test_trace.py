"""The driver of iterative algorithms: what it remembers, when it stops, what it calls converged."""

import pytest

from mlcourse.trace import returns_trace


@returns_trace
def countdown(start, gives_up=False):
    """The numbers start, start - 1, ..., 0."""
    yield start
    while start > 0:
        start -= 1
        yield start
    return not gives_up


def test_path_holds_the_start_and_every_iterate():
    run = countdown(3)
    assert run.path == [3, 2, 1, 0] and run.n_steps == 3 and run.last == 0 and run.converged


def test_stops_after_max_iter_and_says_so():
    run = countdown(10, max_iter=4)
    assert run.path == [10, 9, 8, 7, 6] and not run.converged
    assert countdown(5, max_iter=0).path == [5]


def test_only_the_last_iterate_if_the_path_is_not_kept():
    run = countdown(1000, keep_path=False)
    assert run.path == [0] and run.n_steps == 1000


def test_an_algorithm_that_returns_false_gave_up():
    assert not countdown(3, gives_up=True).converged


@pytest.mark.parametrize("value", [0, None, "done", [1.0, 2.0]])
def test_anything_else_returned_means_converged(value):
    @returns_trace
    def one_step():
        yield 1
        return value

    assert one_step().converged


def test_the_generator_itself_is_at_hand_and_the_name_survives():
    assert list(countdown.iterates(2)) == [2, 1, 0]
    assert countdown.__name__ == "countdown" and "numbers" in countdown.__doc__


@pytest.mark.parametrize("max_iter", [-1, 2.5, True])
def test_bad_max_iter(max_iter):
    with pytest.raises(ValueError, match="max_iter must be an integer"):
        countdown(3, max_iter=max_iter)


def test_progress_is_shown_only_if_tqdm_is_there(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    assert countdown(3, progress=True).n_steps == 3
