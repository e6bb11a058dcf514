"""The claims of the chapter on decision trees."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from mlcourse import DecisionTree, HistogramRule, RegressionTree, theory
from mlcourse.data import XOR, FiniteLaw
from mlcourse.models.trees.criteria import CRITERIA
from mlcourse.models.trees.optimal_tree import OptimalTree
from mlcourse.models.trees.predictor import Leaf, Node, Threshold, Values, dnf, leaves, path, predict, text
from mlcourse.testing import assert_fails_at_most
from mlcourse.theory import boolean_trees, catalan, count_trees, tree_deviation, tree_excess, tree_values
from mlcourse.theory.occam import read_tree

NAMES = ["zero-one", "gini", "entropy", "sqrt"]


def criterion(name, counts):
    """The criterion of leaves with the class counts (2, n)."""
    return CRITERIA[name](np.asarray(counts, dtype=float))


def psi(name, a):
    a = np.ravel(a)
    return criterion(name, [1 - a, a])


def random_tree(n_inner, d, rng):
    if n_inner == 0:
        return Leaf(int(rng.choice([-1, 1])))
    k = int(rng.integers(n_inner))
    children = random_tree(k, d, rng), random_tree(n_inner - 1 - k, d, rng)
    return Node(Threshold(int(rng.integers(d)), round(rng.random(), 2)), children)


def cube(d):
    return np.array([*itertools.product((0, 1), repeat=d)])


def n_inner(tree):
    return str(tree).count("(")


# --- a tree is a partition -------------------------------------------------------------------------
@pytest.mark.claim("prop-tree-partition")
def test_cells_of_threshold_trees_are_disjoint_boxes_that_cover(rng):

    def boxes(tree, low, high):
        """The box (low, high] of every leaf, from the tests alone, without routing."""
        if isinstance(tree, Leaf):
            return [(low, high)]
        j, theta = tree.test.feature, tree.test.theta
        left, right = high.copy(), low.copy()
        left[j], right[j] = min(high[j], theta), max(low[j], theta)
        return boxes(tree.children[0], low, left) + boxes(tree.children[1], right, high)

    for _ in range(30):
        tree, X = random_tree(int(rng.integers(0, 9)), 3, rng), rng.random((40, 3)).round(2)
        found = boxes(tree, np.full(3, -np.inf), np.full(3, np.inf))
        inside = np.array([[((low < x) & (x <= high)).all() for low, high in found] for x in X])
        assert (inside.sum(axis=1) == 1).all()
        routed = np.array([[path(tree, x)[-1] is leaf for leaf in leaves(tree)] for x in X])
        np.testing.assert_array_equal(inside, routed)


@pytest.mark.claim("prop-tree-training-error")
@pytest.mark.parametrize("seed", range(10))
def test_majority_is_the_best_labelling_and_its_error_is_the_sum_of_psi(rng):
    cell, y = rng.integers(0, 6, size=25), rng.choice([-1, 1], size=25)
    counts = np.array([np.bincount(cell[y == label], minlength=6) for label in (-1, 1)])
    least = min(np.mean(np.array(labels)[cell] != y) for labels in itertools.product((-1, 1), repeat=6))
    reached = counts.sum(axis=0) > 0
    size = counts.sum(axis=0)[reached]
    errors = (size * psi("zero-one", counts[1, reached] / size)).sum(), criterion("zero-one", counts).sum()
    assert np.allclose(errors, 25 * least)


# --- splits ----------------------------------------------------------------------------------------
@pytest.mark.claim("lem-split", "prop-zero-one-gain")
@pytest.mark.parametrize("name", NAMES)
def test_every_split_of_small_leaves_gains_and_when_it_gains_nothing(name):
    for n1, p1, n2, p2 in itertools.product(range(7), repeat=4):
        left, right = np.array([n1, p1]), np.array([n2, p2])
        if not left.sum() or not right.sum():
            continue
        parent, first, second = criterion(name, np.array([left + right, left, right]).T)
        q, r = (Fraction(p, n + p) - Fraction(1, 2) for n, p in (left.tolist(), right.tolist()))
        gain, nothing = parent - first - second, q * r >= 0 if name == "zero-one" else q == r
        assert gain > -1e-12 and (gain < 1e-12) == nothing


@pytest.mark.claim("lem-split")
@pytest.mark.erratum("M13")
def test_the_worked_examples():
    gains = [psi(name, 0.8)[0] - psi(name, 0.6)[0] / 2 - psi(name, 1.0)[0] / 2 for name in NAMES]
    np.testing.assert_allclose(gains, [0, 0.08, 0.1182, 0.1551], atol=5e-5)
    one, two = np.array([[300, 100], [100, 300]]), np.array([[200, 200], [400, 0]])
    after = [[criterion(name, split).sum() / 800 for split in (one, two)] for name in ("zero-one", "gini")]
    np.testing.assert_allclose(after, [[0.25, 0.25], [0.375, 1 / 3]])


@pytest.mark.claim("prop-criteria-chain")
@pytest.mark.erratum("M14")
def test_criteria_are_ordered_and_meet_at_three_points_but_not_with_natural_logarithms():
    a = np.linspace(0, 1, 20_001)
    values = np.array([psi(name, a) for name in NAMES])
    h2 = -a[1:-1] * np.log2(a[1:-1]) - (1 - a[1:-1]) * np.log2(1 - a[1:-1])
    formulas = [np.minimum(a, 1 - a), 2 * a * (1 - a), np.pad(h2 / 2, 1), np.sqrt(a * (1 - a))]
    np.testing.assert_allclose(values, formulas, atol=1e-12)
    gaps = np.diff(values, axis=0)
    touching = np.isin(a, [0, 1 / 2, 1])
    assert (np.abs(gaps[:, touching]) < 1e-12).all() and (gaps[:, ~touching] > 1e-9).all()
    assert (np.diff(values[1:], n=2, axis=1) < 0).all()  # strictly concave
    a = np.linspace(0.001, 0.999, 9981)
    below = a[math.log(2) * psi("entropy", a) < psi("zero-one", a)]
    assert abs(below[0] - 0.309) < 1e-3 and abs(below[-1] - 0.691) < 1e-3 and np.ptp(np.diff(below)) < 1e-9


@pytest.mark.claim("prop-xor")
def test_every_set_of_values_of_one_coordinate_holds_as_many_positives_as_negatives(rng):
    law, n = XOR(noise=0.2), 40
    centres = (np.arange(n) + 0.5) / n * 2 - 1
    eta = law.eta(np.array([*itertools.product(centres, repeat=2)])).reshape(n, n)
    for axis in (0, 1):
        for _ in range(50):
            chosen = np.flatnonzero(rng.random(n) < 0.5)
            assert np.isclose(np.take(eta, chosen, axis=axis).mean(), 0.5)
    below, above = (Node(Threshold(1, 0), labels) for labels in ([Leaf(-1), Leaf(1)], [Leaf(1), Leaf(-1)]))
    tree = Node(Threshold(0, 0), [below, above])
    assert np.isclose(law.risk(lambda X: predict(tree, X)), law.bayes_risk)


@pytest.mark.claim("prop-xor")
@pytest.mark.parametrize("name", NAMES)
def test_growth_goes_on_where_the_root_gains_nothing(name):
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, 1, 1, -1])
    tree = DecisionTree(name).fit(X, y)
    assert tree.tree_.decrease[0] == 0 and tree.score(X, y) == 1 and tree.depth_ == 2


# --- growth ----------------------------------------------------------------------------------------
@pytest.mark.claim("prop-midpoints")
@pytest.mark.algorithm("alg-best-split")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(5))
def test_no_threshold_on_the_line_beats_the_root_of_the_tree(name, rng):
    X, y = rng.integers(0, 8, size=(30, 3)) / 4, rng.choice([-1, 1], size=30)
    tree = DecisionTree(name, max_depth=1).fit(X, y)
    after = []
    for x, theta in itertools.product(X.T, np.linspace(-0.1, 2.1, 221)):
        counts = [[np.sum(y[side] == label) for side in (x <= theta, x > theta)] for label in (-1, 1)]
        after.append(criterion(name, counts).sum() / 30)
    assert np.isclose(tree.tree_.impurity[0] - tree.tree_.decrease[0], min(after))
    values = np.unique(X[:, tree.tree_.feature[0]])
    assert np.isclose(tree.tree_.threshold[0], (values[1:] + values[:-1]) / 2).any()


@pytest.mark.claim("thm-ordered-categories")
@pytest.mark.parametrize("name", NAMES)
def test_an_initial_piece_is_as_good_as_any_subset_but_one_of_an_arbitrary_order_is_not(name, rng):
    for _ in range(60):
        k = int(rng.integers(2, 7))
        n = rng.integers(0, 6, size=(2, k))
        n[0, n.sum(axis=0) == 0] = 1
        after = lambda B, n=n: criterion(name, n @ np.array([B, 1 - B]).T).sum()  # noqa: E731
        subsets = [np.array(B) for B in itertools.product((0, 1), repeat=k) if 0 < sum(B) < k]
        rank = np.argsort(np.argsort(n[1] / n.sum(axis=0), kind="stable"))
        pieces = [(rank < i).astype(int) for i in range(1, k)]
        assert min(map(after, pieces)) <= min(map(after, subsets)) + 1e-9
    n = np.array([[5, 0, 5, 0], [0, 5, 0, 5]])  # the fractions are 0, 1, 0, 1
    after = lambda B: criterion("gini", n @ np.array([B, 1 - np.array(B)]).T).sum()  # noqa: E731
    assert after([1, 0, 1, 0]) == 0 < min(after([1, 0, 0, 0]), after([1, 1, 0, 0]), after([1, 1, 1, 0]))


@pytest.mark.claim("prop-greedy-order")
@pytest.mark.algorithm("alg-greedy-tree")
@pytest.mark.parametrize("seed", range(4))
def test_one_run_holds_the_greedy_trees_of_all_sizes(rng):
    X, y = rng.integers(0, 9, size=(50, 2)).astype(float), rng.choice([-1, 1], size=50)
    full, before = DecisionTree().fit(X, y), np.inf

    def criterion_of(tree):
        return tree.tree_.impurity[tree.tree_.left < 0].sum()

    for k in range(1, full.n_leaves_ + 1):
        tree = full.truncated(k)
        assert tree.n_leaves_ == k
        assert text(tree.nested()) == text(DecisionTree(max_leaves=k).fit(X, y).nested())
        assert criterion_of(tree) <= before + 1e-12
        before = criterion_of(tree)


@pytest.mark.claim("prop-zero-training")
@pytest.mark.algorithm("alg-greedy-tree")
@pytest.mark.parametrize("values, m", [(3, 60), (6, 60), (10**6, 60)])
def test_full_growth_reaches_the_least_training_error_of_any_function(values, m):
    rng = np.random.default_rng(m)
    X, y = rng.integers(0, values, size=(m, 2)).astype(float), rng.choice([-1, 1], size=m)
    points, point = np.unique(X, axis=0, return_inverse=True)
    least = np.minimum(np.bincount(point, y == 1), np.bincount(point, y == -1)).sum() / m
    for name in NAMES:
        tree = DecisionTree(name).fit(X, y)
        assert np.isclose(1 - tree.score(X, y), least) and tree.n_leaves_ <= len(points)


# --- pruning ---------------------------------------------------------------------------------------
def prunings(tree):
    """Every pruning as (number of leaves, errors, set of the inner nodes by path)."""

    def visit(node, where):
        counts = np.sum([leaf.counts for leaf in leaves(node)], axis=0)
        found = [(1, int(counts.min()), frozenset())]
        if isinstance(node, Node):
            low, high = (visit(child, where + side) for child, side in zip(node.children, "01", strict=True))
            found += [(a + b, e + f, s | t | {where}) for a, e, s in low for b, f, t in high]
        return found

    return visit(tree, ".")


def inner_nodes(tree, where="."):
    if isinstance(tree, Leaf):
        return frozenset()
    return frozenset({where}).union(*(inner_nodes(c, where + s) for c, s in zip(tree.children, "01", strict=True)))


@pytest.mark.claim("prop-smallest-minimiser", "thm-weakest-link")
@pytest.mark.algorithm("alg-weakest-link")
@pytest.mark.parametrize("seed", range(6))
def test_the_path_holds_the_smallest_pruning_of_least_cost_for_every_price(rng):
    X, y = rng.integers(0, 5, size=(40, 2)).astype(float), rng.choice([-1, 1], size=40)
    tree = DecisionTree(max_leaves=9).fit(X, y)
    every = prunings(tree.nested())
    lam, size, risk = tree.pruning_path()
    assert lam[0] == 0 and (np.diff(lam) > 0).all() and (np.diff(size) < 0).all() and size[-1] == 1
    np.testing.assert_allclose(
        np.diff(risk) / -np.diff(size), lam[1:]
    )  # a corner is left at the slope of the next edge
    before, corners = None, [Fraction(float(v)).limit_denominator(1000) for v in lam]
    for price in sorted([*(Fraction(k, 401) for k in range(100)), *corners]):
        cost = [Fraction(errors, 40) + price * n for n, errors, _ in every]
        best = [s for c, (_, _, s) in zip(cost, every, strict=True) if c == min(cost)]
        smallest = min(best, key=len)
        assert all(smallest <= s for s in best)  # it is a pruning of every other
        assert inner_nodes(tree.pruned(lam=float(price)).nested()) == smallest
        assert before is None or smallest <= before  # nested
        before = smallest
        k = np.searchsorted(lam, float(price) + 1e-12) - 1
        assert size[k] == len(smallest) + 1 and np.isclose(risk[k] + float(price) * size[k], float(min(cost)))


# --- regression ------------------------------------------------------------------------------------
@pytest.mark.claim("prop-regression-split")
@pytest.mark.parametrize("seed", range(10))
def test_the_decrease_of_a_split_is_the_weighted_squared_difference_of_the_means_and_gini_twice_the_square_loss(rng):
    y, N1 = rng.normal(size=12) * 10, int(rng.integers(1, 12))

    def decrease(y, N1):
        return N1 * (12 - N1) / 12 * (y[:N1].mean() - y[N1:].mean()) ** 2

    squares = [((part - part.mean()) ** 2).sum() for part in (y, y[:N1], y[N1:])]
    assert np.isclose(squares[0] - squares[1] - squares[2], decrease(y, N1))
    X = rng.normal(size=(12, 2))
    tree = RegressionTree(max_depth=1).fit(X, y)
    brute = [decrease(y[np.argsort(x)], N1) for x in X.T for N1 in range(1, 12)]
    assert np.isclose(tree.tree_.decrease[0], max(brute) / 12)
    rng = np.random.default_rng(3)
    X, y = rng.random((90, 3)), rng.integers(0, 2, size=90)
    one, two = RegressionTree(max_leaves=12).fit(X, y).tree_, DecisionTree(max_leaves=12).fit(X, y).tree_
    np.testing.assert_array_equal(one.feature, two.feature)
    np.testing.assert_allclose(2 * one.decrease, two.decrease, atol=1e-12)


# --- formulas and functions ------------------------------------------------------------------------
@pytest.mark.claim("prop-tree-dnf")
@pytest.mark.erratum("M15")
def test_the_disjunction_of_the_positive_paths_has_the_truth_table_of_the_tree_and_is_that_of_the_notes():
    rng = np.random.default_rng(1)
    for _ in range(20):
        tree, X = random_tree(5, 3, rng), rng.random((50, 3)).round(2)
        clauses, _ = dnf(tree)
        depth = max(len(path(tree, x)) - 1 for x in X)
        for x in X:
            names = {f"x{j + 1}": x[j] for j in range(3)}
            holds = [all(eval(condition, {}, names) for condition in clause) for clause in clauses]  # noqa: S307
            assert sum(holds) == (predict(tree, [x])[0] == 1)
            assert all(len(clause) <= depth for clause, true in zip(clauses, holds, strict=True) if true)
    above, yes = Node(Threshold(1, 0.49), [Leaf(-1), Leaf(1)]), Node(Values(2, ("y", "n")), [Leaf(1), Leaf(-1)])
    tree = Node(Values(0, ("a", "b", "c")), [above, Leaf(1), yes])
    assert dnf(tree)[1] == "(x1 = a and x2 > 0.49) or x1 = b or (x1 = c and x3 = y)"


@pytest.mark.claim("prop-boolean-tree")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_every_function_of_bits_is_computed_by_a_complete_tree(d):
    def complete(values, j=0):
        half = len(values) // 2
        return (j, complete(values[:half], j + 1), complete(values[half:], j + 1)) if half else values[0]

    tables = {tuple(tree_values(complete(v), cube(d)).tolist()) for v in itertools.product((-1, 1), repeat=2**d)}
    assert len(tables) == 2**2**d
    deep = OptimalTree(cube(d), np.where(cube(d).sum(axis=1) % 2, 1, -1), 2**d - 1)  # parity needs them all
    assert deep.errors[-1] == 0 < deep.errors[-2]


@pytest.mark.claim("cor-boolean-erm")
def test_erm_over_all_functions_breaks_its_bound_seldom_and_with_few_examples_its_excess_is_large():
    rng, d, m, delta = np.random.default_rng(2), 3, 40, 0.3
    law = FiniteLaw(rng.dirichlet(np.ones(16)).reshape(8, 2))
    counts = rng.multinomial(m, law.P.ravel(), size=2000).reshape(-1, 8, 2)
    h = np.where(counts[..., 1] >= counts[..., 0], 1, 0)
    excess = law.P[np.arange(8), 1 - h].sum(axis=1) - law.P.min(axis=1).sum()
    assert_fails_at_most(int((excess > theory.boolean_excess(m, d, delta)).sum()), 2000, delta)
    assert np.isclose(theory.boolean_excess(m, d, delta), theory.erm_excess(m, 2.0**2**d, delta))
    rng, missed = np.random.default_rng(3), []  # labels without noise: what was not seen is guessed to be 1
    for _ in range(200):
        unseen = np.setdiff1d(np.arange(64), rng.integers(64, size=16))
        missed.append((rng.choice([-1, 1], size=len(unseen)) != 1).sum() / 64)
    assert np.mean(missed) > 0.35 and theory.boolean_excess(16, 6, 0.05) > 1


# --- counting --------------------------------------------------------------------------------------
@pytest.mark.claim("prop-catalan")
@pytest.mark.erratum("M33")
def test_catalan_numbers_count_shapes_and_exactly_one_rotation_of_every_word_is_a_tree():
    def shapes(M):
        return [(a, b) for i in range(M) for a in shapes(i) for b in shapes(M - 1 - i)] if M else ["."]

    assert [catalan(M) for M in range(8)] == [len(set(shapes(M))) for M in range(8)]
    for M in range(1, 50):
        assert catalan(M) == sum(catalan(i) * catalan(M - 1 - i) for i in range(M)) <= 4**M
    assert catalan(10) == 16796 and math.comb(2 * 21 - 2, 20) // 21 == catalan(20) == 6564120420
    for M in range(1, 6):
        for places in itertools.combinations(range(2 * M + 1), M):
            word = np.where(np.isin(np.arange(2 * M + 1), places), 1, -1)
            sums = [1 + np.cumsum(np.roll(word, -i)) for i in range(2 * M + 1)]
            assert sum((s[:-1] >= 1).all() and s[-1] == 0 for s in sums) == 1


@pytest.mark.claim("prop-count-trees")
@pytest.mark.parametrize("d, most", [(1, 5), (2, 4), (3, 3)])
def test_trees_of_a_size_are_counted_and_compute_fewer_functions(d, most):
    before = set()
    for M in range(most + 1):
        trees = boolean_trees(M, d)
        assert len(set(trees)) == len(trees) == count_trees(M, d) and {n_inner(tree) for tree in trees} == {M}
        tables = {tuple(tree_values(tree, cube(d)).tolist()) for tree in trees}
        assert before <= tables and len(tables) <= len(trees)
        assert len(trees) <= 2 * (8 * d) ** M <= (2 * math.e * d) ** (2 * M + 1)
        before = tables
    assert len(before) < len(trees)


def true_and_empirical_risks(trees, P, d, m, rng):
    """Of all the trees, under the law P of the points of ``cube(d)`` and their labels, and on 2000 samples from it."""
    tables = np.array([tree_values(tree, cube(d)) for tree in trees])
    wrong = (tables[:, :, None] != [-1, 1]).reshape(len(trees), -1).astype(float)
    return wrong @ P, rng.multinomial(m, P, size=2000) / m @ wrong.T


@pytest.mark.claim("cor-tree-erm")
def test_erm_over_small_trees_breaks_its_bound_seldom():
    rng, m, M, delta = np.random.default_rng(4), 60, 2, 0.5
    P = rng.dirichlet(np.full(16, 0.5)) + 1e-9
    true, empirical = true_and_empirical_risks(boolean_trees(M, 3), P / P.sum(), 3, m, rng)
    excess = true[empirical.argmin(axis=1)] - true.min()
    assert_fails_at_most(int((excess > tree_excess(m, M, 3, delta)).sum()), 2000, delta)


@pytest.mark.claim("cor-tree-erm")
def test_the_faces_of_the_bound_are_inverse_and_ordered():
    M, d = np.arange(1, 40), np.array([[1], [5], [100]])
    assert (tree_excess(500, M, d, 0.05) <= theory.tree_excess_nodes(500, 2 * M + 1, d, 0.05)).all()
    exact = np.array([[theory.erm_excess(500, float(count_trees(int(k), int(e))), 0.05) for k in M] for e in d.ravel()])
    assert (exact <= tree_excess(500, M, d, 0.05)).all() and (tree_excess(500, M, d, 0.05) < 1.2 * exact).all()
    assert np.isclose(tree_excess(500, 0, 7, 0.05), theory.erm_excess(500, 2, 0.05))  # one leaf: nothing is lost
    m = theory.tree_sample_size(M, d, 0.1, 0.05)
    assert (tree_excess(m, M, d, 0.05) <= 0.1 + 1e-12).all() and (tree_excess(m - 1, M, d, 0.05) > 0.1).all()


@pytest.mark.claim("prop-optimal-tree")
@pytest.mark.algorithm("alg-optimal-tree")
@pytest.mark.parametrize("seed", range(8))
def test_no_tree_of_the_size_makes_fewer_errors(rng):
    d = int(rng.integers(1, 4))
    x, y = rng.integers(2**d, size=25), rng.choice([-1, 1], size=25)
    best = OptimalTree(cube(d)[x], y, 3)
    least = np.inf
    for M in range(4):
        least = min(least, *((tree_values(tree, cube(d)[x]) != y).sum() for tree in boolean_trees(M, d)))
        tree = best.tree(M)
        assert best.errors[M] == least == (tree_values(tree, cube(d)[x]) != y).sum() and n_inner(tree) <= M
        assert n_inner(tree) == list(best.errors).index(least)  # the smallest of the best


# --- codes -----------------------------------------------------------------------------------------
@pytest.mark.claim("prop-tree-code")
@pytest.mark.algorithm("alg-encode-tree")
@pytest.mark.algorithm("alg-decode-tree")
@pytest.mark.parametrize("d, most", [(1, 5), (2, 3), (3, 3), (4, 2), (5, 2), (9, 2)])
def test_words_come_back_have_their_length_and_none_begins_another(d, most):
    trees = [tree for M in range(most + 1) for tree in boolean_trees(M, d)]
    words = [theory.encode_tree(tree, d) for tree in trees]
    assert [theory.decode_tree(word, d) for word in words] == trees and theory.is_prefix_free(words)
    assert [len(word) for word in words] == [theory.tree_bits(n_inner(tree), d) for tree in trees]
    width = math.ceil(math.log2(d))
    for tree, word in zip(trees[:200], words[:200], strict=True):
        assert read_tree(word + "0110", width) == (tree, "0110")


@pytest.mark.claim("prop-tree-code")
@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 6, 8, 100, 128])
def test_kraft_sum_is_one_exactly_for_powers_of_two_and_that_of_all_trees_is_that_of_the_formula(d):
    width = math.ceil(math.log2(d))
    partial = sum(Fraction(catalan(M) * d**M * 2 ** (M + 1), 2 ** (3 * M + 2 + M * width)) for M in range(1200))
    whole = float(theory.tree_kraft_sum(d))
    power = d == 2**width
    assert partial <= whole + 1e-15 and np.isclose(float(partial), whole, atol=0.02 if power else 1e-6)
    assert (whole == 1) == power
    if power:  # the telescoping sum of the proof
        assert 1 - partial == Fraction(math.comb(2400, 1200), 4**1200)
    trees = [tree for M in range(4) for tree in boolean_trees(M, 3)]
    expected = sum(Fraction(count_trees(M, 3), 2 ** int(theory.tree_bits(M, 3))) for M in range(4))
    assert theory.kraft_sum(len(theory.encode_tree(tree, 3)) for tree in trees) == expected


@pytest.mark.claim("thm-tree-occam")
@pytest.mark.parametrize("m", [10, 60, 400])
def test_occam_bounds_hold_for_all_trees_on_two_bits_at_once(m):
    rng, delta = np.random.default_rng(m), 0.3
    trees = [tree for M in range(4) for tree in boolean_trees(M, 2)]  # every function, by its shortest trees
    true, empirical = true_and_empirical_risks(trees, rng.dirichlet(np.ones(8)), 2, m, rng)
    epsilon = tree_deviation(m, [n_inner(tree) for tree in trees], 2, delta)
    broken = (true > empirical + epsilon).any(axis=1)
    chosen = (empirical + epsilon).argmin(axis=1)
    broken |= true[chosen] > (true + 2 * epsilon).min() + 1e-12
    assert_fails_at_most(int(broken.sum()), 2000, delta)


@pytest.mark.claim("thm-tree-occam")
def test_without_the_penalty_the_promise_is_broken():
    rng, m = np.random.default_rng(0), 20  # coin flips on four points: some tree fits them far too well
    tables = np.array([tree_values(tree, cube(2)) for tree in boolean_trees(3, 2)])
    x, y = rng.integers(4, size=(500, m)), rng.choice([-1, 1], size=(500, m))
    least = np.array([(tables[:, a] != b).mean(axis=1).min() for a, b in zip(x, y, strict=True)])
    leaf, three = (tree_deviation(m, n, 2, 0.5) for n in (0, 3))
    assert np.mean(0.5 > least + leaf / 2) > 0.5 >= np.mean(0.5 > least + three)


# --- consistency -----------------------------------------------------------------------------------
def grid_rule(X, y, X_new, n1, n2):
    """The labels of the histogram rule at X_new, n1 by n2 cells on the unit square, and the counts there."""
    X, X_new = X * [n1, n2], X_new * [n1, n2]  # the cells become unit squares
    count = np.zeros((n1, n2), dtype=int)
    np.add.at(count, tuple(X.astype(int).T), 1)
    return HistogramRule(side=1.0).fit(X, y).predict(X_new), count[tuple(X_new.astype(int).T)]


def wavy(m, rng):
    X = rng.random((m, 2))
    return X, np.where(rng.random(m) < eta(X), 1, -1)


def eta(X):
    return 0.5 + 0.4 * np.sin(5 * X[:, 0]) * np.cos(4 * X[:, 1])


@pytest.mark.claim("thm-partition-consistent")
@pytest.mark.parametrize("m, side", [(50, 2), (200, 4), (1000, 4), (1000, 12), (5000, 8)])
@pytest.mark.parametrize("k", [1, 5, 30])
def test_excess_risk_stays_below_bias_rare_cells_and_variance(m, side, k):
    rng = np.random.default_rng(m)
    fine = (np.stack(np.meshgrid(np.arange(120), np.arange(120)), axis=-1).reshape(-1, 2) + 0.5) / 120
    p = eta(fine)
    cell = np.floor(fine[:, 0] * side).astype(int) * side + np.floor(fine[:, 1] * side).astype(int)
    bias = np.abs((np.bincount(cell, p) / np.bincount(cell))[cell] - p).mean()
    excess, rare = [], []
    for _ in range(20):
        labels, count = grid_rule(*wavy(m, rng), fine, side, side)
        excess.append(np.mean(np.abs(2 * p - 1) * (labels != np.where(p >= 0.5, 1, -1))))
        rare.append(np.mean(count < k))
    assert np.mean(excess) <= 2 * bias + np.mean(rare) + 1 / np.sqrt(k)


@pytest.mark.claim("thm-partition-consistent", "cor-histogram-consistent")
def test_shrinking_and_filling_cells_approach_the_bayes_risk_and_one_condition_is_not_enough():
    rng = np.random.default_rng(7)
    X_new, _ = wavy(20_000, rng)
    p = eta(X_new)
    bayes = np.minimum(p, 1 - p).mean()

    def excess(m, n1, n2):
        draws = [grid_rule(*wavy(m, rng), X_new, n1, n2)[0] for _ in range(5)]
        return np.mean([np.where(h == 1, 1 - p, p).mean() for h in draws]) - bayes

    good = [excess(m, side, side) for m, side in [(100, 3), (1600, 6), (25_600, 12), (200_000, 20)]]
    assert (np.diff(good) < 0).all() and good[-1] < 0.01
    assert excess(200_000, 2, 2) > 0.025  # a fixed share of the examples in each cell
    assert excess(200_000, 1, 50) > 0.05  # cells that shrink in one direction only
    assert excess(2000, 200, 200) > 0.05  # cells that do not fill


@pytest.mark.claim("cor-histogram-consistent")
def test_cells_of_a_law_with_atoms_and_no_density_fill_too():
    rng = np.random.default_rng(8)  # X on a line in the plane, half of it in one point; cubes of side m^(-1/4)
    rare = []
    for m in (100, 10_000, 400_000):
        side = m**-0.25
        t = np.where(rng.random(m) < 0.5, 0.3, rng.standard_cauchy(m))
        cell = np.floor(np.c_[t, 2 * t] / side).astype(np.int64)
        _, index, count = np.unique(cell, axis=0, return_inverse=True, return_counts=True)
        new = count[index]  # a sample point sees its own cell: at least as full as for a new point, less one
        rare.append(np.mean(new - 1 < 10))
    assert rare[0] > rare[1] > rare[2] and rare[2] < 0.12
