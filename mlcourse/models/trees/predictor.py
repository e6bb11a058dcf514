"""Tree predictors as the lecture draws them: an inner node tests one attribute, a leaf holds a label.

A row x is any sequence of attributes, numbers or names. A test returns the number of a child, counted from 0.
"""

import numbers
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_array
from mlcourse.arguments.collections import check_list
from mlcourse.arguments.kinds import Kind, checks_arguments
from mlcourse.models.trees.conditions import Condition, Interval, Member, Threshold, Values, in_words


@dataclass(frozen=True)
class Leaf:
    """A leaf and its label; ``counts`` may hold how many examples of each class reached it."""

    label: object
    counts: tuple | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Node:
    """An inner node: ``test(x)`` is the number of the child that x goes to."""

    test: Threshold | Interval | Values | Member
    children: tuple

    def __post_init__(self):
        if not isinstance(self.test, Condition):
            raise ValueError(f"test must be a Threshold, Interval, Values or Member, got {self.test!r}")
        object.__setattr__(self, "children", tuple(check_list("children", self.children)))
        expected = len(self.test.answers())
        if len(self.children) != expected:
            raise ValueError(f"{self.test} needs {expected} children, got {len(self.children)}")
        for child in self.children:
            check_tree("every child", child)


def check_tree(name: str, value: Any) -> "NestedTree":
    """``value``, which is a Node or a Leaf."""
    if not isinstance(value, (Node, Leaf)):
        raise ValueError(f"{name} must be a Node or a Leaf, got {value!r}")
    return value


def check_point(name: str, value: Any) -> Any:
    """``value`` as a row of attributes."""
    if isinstance(value, (str, bytes, dict)) or check_array(name, value).ndim != 1:
        raise ValueError(f"{name} must be a row of attributes, got {value!r}")
    return value if isinstance(value, (tuple, list, np.ndarray)) else np.asarray(value)


NestedTree = Annotated[Node | Leaf, Kind(check_tree)]
Names = Annotated[Sequence[str], Kind(lambda name, value: [*map(str, check_list(name, value))])]
Point = Annotated[Sequence, Kind(check_point)]


@checks_arguments
def path(tree: NestedTree, x: Point) -> list:
    """The nodes that x meets, from the root to its leaf."""
    nodes, node = [tree], tree
    while isinstance(node, Node):
        if node.test.feature >= len(x):
            raise ValueError(f"x must have more than {node.test.feature} attributes, got {len(x)}")
        node = node.children[node.test(x)]
        nodes.append(node)
    return nodes


@checks_arguments
def predict(tree: NestedTree, X: ArrayLike) -> np.ndarray:
    """The label of the leaf of each row of X, as an array."""
    rows = check_list("X", X if isinstance(X, (list, tuple)) else check_array("X", X))  # a list may mix attributes
    return np.array([path(tree, check_point("every row of X", x))[-1].label for x in rows])


@checks_arguments
def nodes(tree: NestedTree) -> list:
    """Every node of the tree in preorder: a node, then its children from left to right."""
    return [node for *_, node in _walk(tree)]


def _walk(tree):
    """For every node in preorder: the number of tests before it, the last of them, its outcome, the node."""
    waiting: list[tuple] = [(0, None, 0, tree)]
    while waiting:
        n_tests, *_, node = found = waiting.pop()
        yield found
        if isinstance(node, Node):
            waiting += [(n_tests + 1, node.test, i, child) for i, child in enumerate(node.children)][::-1]


def leaves(tree: NestedTree) -> list[Leaf]:
    """The leaves of the tree, from left to right."""
    return [node for node in nodes(tree) if isinstance(node, Leaf)]


def n_nodes(tree: NestedTree) -> int:
    """The number of nodes of the tree, leaves included."""
    return len(nodes(tree))


@checks_arguments
def depth(tree: NestedTree) -> int:
    """The number of tests on the longest way from the root to a leaf."""
    return max(n_tests for n_tests, *_ in _walk(tree))


@checks_arguments
def text(tree: NestedTree, names: Names | None = None) -> str:
    """The tree as indented lines, one for each branch."""
    if isinstance(tree, Leaf):
        return _say(tree)
    lines = []
    for n_tests, test, i, node in islice(_walk(tree), 1, None):  # all but the root
        end = f": {_say(node)}" if isinstance(node, Leaf) else ""
        lines.append("|   " * (n_tests - 1) + test.branches(names)[i] + end)
    return "\n".join(lines)


@checks_arguments
def dnf(tree: NestedTree, label: Any = 1, names: Names | None = None) -> tuple[list[list[str]], str]:
    """The conjunctions of the leaves with that label, and their disjunction in words: (list of lists, string)."""
    clauses: list[list[str]] = []
    clause: list[str] = []
    for n_tests, test, i, node in _walk(tree):
        clause = [*clause[: n_tests - 1], test.branches(names)[i]] if n_tests else []
        if isinstance(node, Leaf) and isinstance(label, Hashable) and node.label == label:
            clauses.append(clause)
    words = [" and ".join(clause) or "true" for clause in clauses]
    many = len(words) > 1
    return clauses, " or ".join(f"({word})" if many and " and " in word else word for word in words) or "false"


def boolean(tree: NestedTree) -> tuple | int:
    """A tree of thresholds on 0/1 features as nested tuples (j, low, high) with leaves -1 and +1."""
    built: list[tuple | int] = []
    for node in reversed(nodes(tree)):  # children before their parents, the low one last
        if isinstance(node, Node):
            if not isinstance(node.test, Threshold) or not 0 <= node.test.theta < 1:
                raise ValueError(f"a Boolean tree has thresholds in [0, 1) only, got {node.test}")
            built.append((int(node.test.feature), built.pop(), built.pop()))
        elif node.label in (-1, 1):
            built.append(int(node.label))
        else:
            raise ValueError(f"the labels of a Boolean tree are -1 and +1, got {node.label!r}")
    return built[0]


def from_boolean(nested: tuple | int) -> Node | Leaf:
    """The tree of nested tuples (j, low, high), with Threshold(j, 1/2) at its inner nodes."""
    found, waiting = [], [nested]
    built: list[Node | Leaf] = []
    while waiting:
        found.append(waiting.pop())
        if isinstance(found[-1], tuple) and len(found[-1]) == 3:
            waiting += found[-1][:0:-1]
        elif not isinstance(found[-1], numbers.Real) or found[-1] not in (-1, 1):
            raise ValueError(f"a Boolean tree is a tuple (j, low, high) or a label -1 or +1, got {found[-1]!r}")
    for node in reversed(found):
        is_leaf = not isinstance(node, tuple)
        built.append(Leaf(int(node)) if is_leaf else Node(Threshold(node[0], 0.5), (built.pop(), built.pop())))
    return built[0]


def _say(leaf):
    counts = "" if leaf.counts is None else f"  ({', '.join(map(in_words, leaf.counts))})"
    return f"{in_words(leaf.label)}{counts}"
