"""Trees drawn by hand: routing, the partition by the leaves, and formulas with the same truth table."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest

from mlcourse import plots
from mlcourse.models.trees.predictor import (
    Interval,
    Leaf,
    Member,
    Node,
    Threshold,
    Values,
    boolean,
    depth,
    dnf,
    from_boolean,
    leaves,
    n_nodes,
    nodes,
    path,
    predict,
    text,
)

NAMES = ["outlook", "humidity", "windy"]
WEATHER = Node(
    Values(0, ("sunny", "overcast", "rain")),
    [Node(Interval(1, 30, 60), [Leaf(-1), Leaf(1)]), Leaf(1), Node(Member(2, ("yes",)), (Leaf(1), Leaf(-1)))],
)


def weather_rule(x):
    outlook, humidity, windy = x
    if outlook == "sunny":
        return 1 if 30 <= humidity <= 60 else -1
    return 1 if outlook == "overcast" or windy == "no" else -1


DAYS = [*itertools.product(("sunny", "overcast", "rain"), (0, 29, 30, 45, 60, 61), ("yes", "no"))]


def test_a_row_is_routed_by_the_tests_to_one_leaf():
    x = ("sunny", 50, "no")
    assert path(WEATHER, x) == [WEATHER, WEATHER.children[0], Leaf(1)]
    assert predict(WEATHER, DAYS).tolist() == [weather_rule(x) for x in DAYS]
    assert (n_nodes(WEATHER), len(leaves(WEATHER)), depth(WEATHER)) == (8, 5, 2)
    assert (n_nodes(Leaf(1)), leaves(Leaf(1)), depth(Leaf(1))) == (1, [Leaf(1)], 0)
    assert nodes(WEATHER)[0] is WEATHER and nodes(WEATHER)[1] is WEATHER.children[0]


@pytest.mark.parametrize("values", [np.array([2.0, 2.5, 3.0]), [2, 2.5, 3]])
def test_a_threshold_sends_equal_values_to_the_low_side_and_an_interval_is_closed(values):
    assert [Threshold(0, 2.5)((x,)) for x in values] == [0, 0, 1]
    assert [Interval(0, 2, 2.5)((x,)) for x in values] == [1, 1, 0]
    assert [Member(0, (2, 3))((x,)) for x in values] == [1, 0, 1]


def holds(condition, x, names):
    """Whether a condition in words holds, read without the code that wrote it."""
    name, rest = condition.split(" ", 1)
    value = x[names.index(name)]
    word, _, right = rest.partition(" ")
    if word == "not":
        return not holds(f"{name} {right}", x, names)
    if word == "in" and right[0] == "[":
        low, high = map(float, right[1:-1].split(", "))
        return low <= value <= high
    if word == "in":
        return str(value) in right[1:-1].split(", ")
    return {
        "=": lambda: str(value) == right,
        "!=": lambda: str(value) != right,
        "<=": lambda: value <= float(right),
        ">": lambda: value > float(right),
    }[word]()


@pytest.mark.parametrize("label", [-1, 1])
def test_the_disjunction_of_the_ways_to_the_leaves_is_the_tree(label):
    clauses, words = dnf(WEATHER, label, NAMES)
    assert len(clauses) == sum(leaf.label == label for leaf in leaves(WEATHER))
    for x in DAYS:
        true = [all(holds(condition, x, NAMES) for condition in clause) for clause in clauses]
        assert sum(true) == (weather_rule(x) == label)  # the clauses exclude one another
    assert words == " or ".join(f"({' and '.join(c)})" if len(c) > 1 else c[0] for c in clauses)


def test_formulas_of_constant_trees():
    assert dnf(Leaf(1)) == ([[]], "true")
    assert dnf(Leaf(-1)) == ([], "false")
    assert dnf(Node(Threshold(0, 1.0), (Leaf(-1), Leaf(1)))) == ([["x1 > 1"]], "x1 > 1")


def test_text_says_every_branch_once():
    assert text(WEATHER, NAMES).splitlines() == [
        "outlook = sunny",
        "|   humidity not in [30, 60]: -1",
        "|   humidity in [30, 60]: 1",
        "outlook = overcast: 1",
        "outlook = rain",
        "|   windy != yes: 1",
        "|   windy = yes: -1",
    ]
    assert text(Leaf("a", (3, 0))) == "a  (3, 0)"
    assert text(Node(Member(0, ("a", "b")), (Leaf(0), Leaf(0.25)))) == "x1 not in {a, b}: 0\nx1 in {a, b}: 0.25"


def random_boolean(d, n_inner, rng):
    if n_inner == 0:
        return int(rng.choice([-1, 1]))
    low = int(rng.integers(n_inner))
    return int(rng.integers(d)), random_boolean(d, low, rng), random_boolean(d, n_inner - 1 - low, rng)


def value(nested, x):
    while isinstance(nested, tuple):
        nested = nested[1 + x[nested[0]]]
    return nested


@pytest.mark.parametrize("seed", range(20))
def test_nested_tuples_and_boolean_trees_are_the_same_functions(rng):
    d = int(rng.integers(1, 5))
    nested = random_boolean(d, int(rng.integers(8)), rng)
    tree = from_boolean(nested)
    assert boolean(tree) == nested
    cube = [*itertools.product((0, 1), repeat=d)]
    assert predict(tree, cube).tolist() == [value(nested, x) for x in cube]
    clauses, _ = dnf(tree)
    names = [f"x{j + 1}" for j in range(d)]
    assert [any(all(holds(c, x, names) for c in clause) for clause in clauses) for x in cube] == [
        value(nested, x) == 1 for x in cube
    ]


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: Node(Threshold(0, 1.0), (Leaf(1),)), "needs 2 children, got 1"),
        (lambda: Node(Values(0, "abc"), (Leaf(1), Leaf(1))), "needs 3 children, got 2"),
        (lambda: Node(Threshold(0, 1.0), (Leaf(1), 1)), "every child must be a Node or a Leaf, got 1"),
        (lambda: Values(0, ()), "distinct values, at least one"),
        (lambda: Member(0, ("a", "a")), "distinct values"),
        (lambda: predict(WEATHER, [("snow", 3, "no")]), "x1 must be one of .* got 'snow'"),
        (lambda: boolean(WEATHER), "thresholds in .* only"),
        (lambda: boolean(Node(Threshold(0, 1.0), (Leaf(1), Leaf(-1)))), "thresholds in"),
        (lambda: boolean(Leaf(2)), "labels of a Boolean tree are -1 and .1, got 2"),
        (lambda: from_boolean((0, 1, 3)), "a label -1 or .1, got 3"),
        (lambda: from_boolean((0, 1)), r"tuple \(j, low, high\)"),
    ],
)
def test_what_is_no_tree_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_the_drawing_shows_every_node_and_branch_once():
    plt.switch_backend("Agg")
    _, ax = plt.subplots()
    assert plots.tree(ax, WEATHER, NAMES) is ax
    words = sorted(text.get_text() for text in ax.texts)
    assert words == sorted(
        ["outlook", "humidity", "windy", "-1", "1", "1", "1", "-1"]
        + ["= sunny", "= overcast", "= rain", "not in [30, 60]", "in [30, 60]", "≠ yes", "= yes"]
    )
    leaves_drawn = [text for text in ax.texts if text.get_text() in ("1", "-1")]
    assert sorted(text.get_position()[0] for text in leaves_drawn) == [0, 1, 2, 3, 4]
    colours = {(t.get_text(), t.get_bbox_patch().get_edgecolor()) for t in leaves_drawn}
    assert len(colours) == 2  # one colour for each label
    plots.tree(ax, Leaf(0.123456, (7,)))
    assert ax.texts[-1].get_text() == "0.123\n7"
    plt.close("all")


def test_deep_trees_are_read_without_recursion():
    nested = 1
    for j in range(5000):
        nested = (j % 3, nested, -1)
    tree = from_boolean(nested)
    assert depth(tree) == 5000 and n_nodes(tree) == 10_001 and predict(tree, [(0, 0, 0), (0, 1, 0)]).tolist() == [1, -1]
    again = boolean(tree)
    while isinstance(again, tuple):  # comparing deep tuples would recurse
        assert (again[0], again[2]) == (nested[0], nested[2])
        again, nested = again[1], nested[1]
    assert again == nested == 1
