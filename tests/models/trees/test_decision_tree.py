"""Greedy trees: every test is the best one, growth goes in greedy order, prunings are the best of all prunings."""

import itertools

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from mlcourse import DecisionTree, RegressionTree
from mlcourse.models.trees.predictor import Leaf, Member, Node, Threshold, predict
from mlcourse.models.trees.pruning import greedy_ranks

PSI = {  # of the fractions of the classes; for two classes a is the second
    "gini": lambda p: 1 - sum(p**2),
    "entropy": lambda p: -sum(q * np.log2(q) for q in p if q > 0) / 2,
    "sqrt": lambda p: sum(np.sqrt(q * np.delete(p, c).sum()) for c, q in enumerate(p)) / 2,  # no rounding of 1 - q
    "zero-one": lambda p: 1 - max(p),
}


def share(criterion, y, D, n_classes):
    """Weight of a set of examples times psi of its fractions; for a regression the weight times the variance."""
    if len(y) == 0:
        return 0.0
    if criterion == "variance":
        return D.sum() * np.average((y - np.average(y, weights=D)) ** 2, weights=D)
    p = np.bincount(y, D, n_classes) / D.sum()
    return D.sum() * PSI[criterion](p)


def sets_that_go_right(X, categorical, one_value):
    """Every (feature, rows that go right) that a test can make."""
    for j, x in enumerate(X.T):
        values = np.unique(x)
        if j in categorical:
            sizes = [1] if one_value else range(1, len(values))
            for size in sizes:
                yield from ((j, np.isin(x, some)) for some in itertools.combinations(values, size))
        else:
            yield from ((j, x > theta) for theta in values[:-1])


def best_decrease(X, y, D, criterion, min_leaf=1, categorical=(), n_classes=0):
    """The largest decrease of the criterion over all tests and the lowest feature that has it; None without tests."""
    before, best = share(criterion, y, D, n_classes), None
    for j, right in sets_that_go_right(X, categorical, criterion != "variance" and n_classes > 2):
        if min(right.sum(), (~right).sum()) >= min_leaf:
            parts = sum(share(criterion, y[side], D[side], n_classes) for side in (right, ~right))
            if best is None or before - parts > best[0] + 1e-9:
                best = before - parts, j
    return best


def sample(seed, kind):
    """A small sample with ties, copies and a constant feature, weights or None, and its categorical features."""
    rng = np.random.default_rng(seed)
    m, n_classes = int(rng.integers(4, 30)), int(rng.integers(2, 5))
    X = rng.integers(0, int(rng.integers(2, 7)), size=(m, 4)).astype(float)
    X[:, 1] = rng.normal(size=m)
    X[:, 2] = 3.0
    categorical = ((), (0,), (0, 3), (3,))[seed % 4]
    if kind == "variance":
        return X, rng.normal(size=m).round(1), np.full(m, 1 / m), categorical, 0
    y = rng.integers(n_classes, size=m)
    y[:n_classes] = np.arange(n_classes)
    D = rng.dirichlet(np.ones(m)) if seed % 3 == 0 else np.full(m, 1 / m)
    return X, y, D, categorical, n_classes


def fitted(kind, X, y, D, **params):
    if kind == "variance":
        return RegressionTree(**params).fit(X, y)
    return DecisionTree(kind, **params).fit(X, y, D)


def rows_by_node(tree, X):
    """The rows of X that pass through each node."""
    parent = {int(child): t for t in range(len(tree.tree_)) for child in (tree.tree_.left[t], tree.tree_.right[t])}
    rows = {t: [] for t in range(len(tree.tree_))}
    for i, leaf in enumerate(tree.apply(X)):
        t = int(leaf)
        while t >= 0:
            rows[t].append(i)
            t = parent[t] if t else -1
    return {t: np.array(i, dtype=int) for t, i in rows.items()}


@pytest.mark.algorithm("alg-best-split")
@pytest.mark.algorithm("alg-greedy-tree")
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("kind", [*PSI, "variance"])
def test_every_test_of_a_grown_tree_is_the_best_of_all_tests(kind, seed):
    X, y, D, categorical, n_classes = sample(seed, kind)
    min_leaf = 1 if categorical else 1 + seed % 3
    tree = fitted(kind, X, y, D, min_leaf=min_leaf, categorical=categorical)
    for t, rows in rows_by_node(tree, X).items():
        here = X[rows], y[rows], D[rows]
        assert tree.tree_.count[t] == len(rows)
        assert tree.tree_.impurity[t] == pytest.approx(share(kind, *here[1:], n_classes), abs=1e-12)
        best = best_decrease(*here, kind, min_leaf, categorical, n_classes)
        if tree.tree_.left[t] < 0:  # a leaf is pure or cannot be split
            assert len(set(y[rows])) == 1 or best is None
        else:
            assert len(set(y[rows])) > 1
            assert tree.tree_.decrease[t] == pytest.approx(best[0], abs=1e-9)
            assert tree.tree_.feature[t] == best[1]


@pytest.mark.parametrize("kind", [*PSI, "variance"])
def test_ties_go_to_the_lowest_feature_and_threshold(kind):
    x = np.array([0.0, 1.0, 2.0, 3.0])
    y = np.array([0, 1, 1, 0])
    X = np.column_stack([np.zeros(4), x, -x, x])
    tree = fitted(kind, X, y, np.full(4, 0.25), max_depth=1)
    assert tree.tree_.feature[0] == 1
    if kind != "zero-one":  # the cuts after the first and before the last example are equally good
        assert tree.tree_.threshold[0] == 0.5
    other = fitted(kind, np.column_stack([x > 0, x]), y, np.full(4, 0.25), max_depth=1, categorical=(1,))
    assert other.tree_.feature[0] in ((0, 1) if kind != "zero-one" else (1,))


def test_a_categorical_feature_wins_a_tie_if_it_is_the_lower_one():
    x, y = np.arange(4) % 2, np.arange(4) % 2
    for categorical in ((0,), (1,), (0, 1), ()):
        tree = DecisionTree(categorical=categorical).fit(np.column_stack([x, x]), y)
        assert tree.tree_.feature[0] == 0


@pytest.mark.parametrize("weights", [None, "random"])
def test_rounding_of_weights_breaks_no_tie(weights, rng):
    for _ in range(40):
        x, y = rng.permutation(12).astype(float), rng.integers(3, size=12)
        y[:3] = 0, 1, 2
        D = None if weights is None else rng.random(12)
        for name in [*PSI] if D is None else ["gini", "entropy", "zero-one"]:  # a root makes rounding large
            tree = DecisionTree(name).fit(np.column_stack([x, -x, 5 * x]), y, D)
            assert set(tree.tree_.feature[tree.tree_.left >= 0]) == {0}


# --- growth ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["gini", "entropy", "variance"])
def test_greedy_growth_splits_the_leaf_of_largest_decrease(kind, seed):
    X, y, D, categorical, _ = sample(seed, kind)
    full = fitted(kind, X, y, D, categorical=categorical)
    rank, tree = full.rank_, full.tree_
    assert sorted(rank[tree.left >= 0]) == [*range(full.n_leaves_ - 1)]
    for n in range(full.n_leaves_ - 1):
        waiting = [t for t in range(len(tree)) if rank[t] >= n and (t == 0 or rank[parent(tree, t)] < n)]
        assert tree.decrease[rank == n] >= tree.decrease[waiting].max() - 1e-11
        short = fitted(kind, X, y, D, categorical=categorical, max_leaves=n + 1)
        same_tree(short.nested(), full.truncated(n + 1).nested())
    assert full.truncated(10**6).n_leaves_ == full.n_leaves_


def test_of_two_leaves_with_the_same_decrease_the_first_is_split():
    X, y = np.arange(4.0)[:, None], np.array([10, 10.1, 0, 0.1])  # 10.1 - 10 is a little less than 0.1
    assert RegressionTree(max_leaves=3).fit(X, y).tree_.threshold[:2].tolist() == [1.5, 0.5]
    assert DecisionTree(max_leaves=3).fit(np.arange(8.0)[:, None], [0, 1, 1, 1, 2, 2, 2, 3]).tree_.left[1] > 0


def parent(tree, t):
    return int(np.flatnonzero((tree.left == t) | (tree.right == t))[0])


def same_tree(a, b):
    assert type(a) is type(b)
    if isinstance(a, Leaf):
        assert (a.label == b.label or a.label == pytest.approx(b.label)) and a.counts == b.counts
    else:
        assert a.test == b.test
        for pair in zip(a.children, b.children, strict=True):
            same_tree(*pair)


# --- references ------------------------------------------------------------------------------------
def partition(leaf):
    """The sets of rows that share a leaf: two features may cut a small leaf alike, so features may differ."""
    return {frozenset(np.flatnonzero(leaf == v).tolist()) for v in leaf}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "ours, theirs",
    [
        ({}, {}),
        ({"max_depth": 3}, {"max_depth": 3}),
        ({"max_leaves": 6}, {"max_leaf_nodes": 6}),
        ({"min_leaf": 20}, {"min_samples_leaf": 20}),
    ],
    ids=["full", "depth", "leaves", "large leaves"],
)
@pytest.mark.parametrize("kind", ["gini", "entropy", "weighted", "variance"])
def test_same_tree_as_scikit_learn(kind, ours, theirs, rng):
    X = rng.normal(size=(150, 3)).astype(np.float32).astype(float)  # scikit-learn keeps single precision
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=150) / 2
    if kind == "variance":
        model = RegressionTree(**ours).fit(X, score)
        reference = DecisionTreeRegressor(random_state=0, **theirs).fit(X, score)
    else:
        y, name = (score > 0).astype(int) + (score > 1), "gini" if kind == "weighted" else kind
        D = rng.random(150) if kind == "weighted" else None
        model = DecisionTree(name, **ours).fit(X, y, D)
        reference = DecisionTreeClassifier(criterion=name, random_state=0, **theirs).fit(X, y, D)
    t = reference.tree_
    assert (model.tree_.feature[0], model.tree_.threshold[0]) == (t.feature[0], t.threshold[0])
    impurity = (t.weighted_n_node_samples * t.impurity)[t.children_left < 0].sum() / t.weighted_n_node_samples[0]
    if kind == "variance" or ours:  # a full tree of classes has leaves with several best tests
        assert partition(model.apply(X)) == partition(reference.apply(X))
        unit = 0.5 if kind == "entropy" else 1.0
        assert model.tree_.impurity[model.tree_.left < 0].sum() == pytest.approx(unit * impurity, rel=1e-9, abs=1e-12)
        method = "predict" if kind == "variance" else "predict_proba"
        np.testing.assert_allclose(getattr(model, method)(X), getattr(reference, method)(X), atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", PSI)
def test_integer_weights_are_repeated_examples(name, seed):
    X, y, _, categorical, _ = sample(seed, name)
    weights = np.random.default_rng(seed).integers(1, 5, size=len(y))
    a = DecisionTree(name, categorical=categorical).fit(X, y, weights)
    b = DecisionTree(name, categorical=categorical).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert np.array_equal(a.tree_.feature, b.tree_.feature)
    np.testing.assert_array_equal(a.tree_.threshold, b.tree_.threshold)
    np.testing.assert_array_equal(a.tree_.member, b.tree_.member)
    np.testing.assert_allclose(a.value_, b.value_, atol=1e-15)
    c = DecisionTree(name, categorical=categorical).fit(X, y, 3.7 * weights)
    np.testing.assert_array_equal(a.tree_.threshold, c.tree_.threshold)
    np.testing.assert_array_equal(a.tree_.total * weights.min(), b.tree_.total)  # whole numbers, whatever the unit
    np.testing.assert_array_equal(a.tree_.total, c.tree_.total)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", ["gini", "variance"])
def test_many_leaves_and_features_at_a_time_change_nothing(kind, seed, monkeypatch):
    X, y, D, categorical, _ = sample(seed, kind)
    whole = fitted(kind, X, y, D, categorical=categorical)
    monkeypatch.setattr("mlcourse.models.trees.growth.CELLS_AT_ONCE", 1)
    single = fitted(kind, X, y, D, categorical=categorical)
    same_tree(whole.nested(), single.nested())


# --- pruning ---------------------------------------------------------------------------------------
def prunings(tree, risk, t=0):
    """Every pruning of the branch below t: (its risk, its inner nodes)."""
    yield risk[t], frozenset()
    if tree.left[t] >= 0:
        low, high = (prunings(tree, risk, child[t]) for child in (tree.left, tree.right))
        yield from ((r + s, a | b | {t}) for (r, a), (s, b) in itertools.product(low, high))


def small_tree(kind, seed):
    X, y, D, categorical, _ = sample(seed, kind)
    model = fitted(kind, X, y, D, categorical=categorical, max_leaves=8)
    tree = model.tree_
    risk = tree.impurity if kind == "variance" else (1 - model.value_.max(axis=1)) * (tree.total.sum(axis=1))
    return model, X, y, D, risk if kind == "variance" else risk / tree.total[0].sum()


def kept(model, pruned):
    """The inner nodes of the model that are inner nodes of a pruning of it."""
    found, pairs = set(), [(0, 0)]
    while pairs:
        t, s = pairs.pop()
        if pruned.tree_.left[s] >= 0:
            assert model.tree_.feature[t] == pruned.tree_.feature[s]
            found.add(t)
            pairs += [(model.tree_.left[t], pruned.tree_.left[s]), (model.tree_.right[t], pruned.tree_.right[s])]
    return frozenset(int(t) for t in found)


@pytest.mark.algorithm("alg-weakest-link")
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("kind", ["gini", "entropy", "variance"])
def test_pruning_is_the_smallest_minimiser_of_risk_plus_price_of_leaves(kind, seed):
    model, X, y, D, risk = small_tree(kind, seed)
    every = [(r, frozenset(int(t) for t in inner)) for r, inner in prunings(model.tree_, risk)]
    path = model.pruning_path()
    prices = [*path.lam, *(path.lam[:-1] + np.diff(path.lam) / 2), path.lam[-1] + 1, path.lam[1:].min(initial=1) / 2]
    for lam in prices:
        cost = np.array([r + lam * (1 + len(inner)) for r, inner in every])
        best = [inner for (_, inner), c in zip(every, cost, strict=True) if c <= cost.min() + 1e-12]
        smallest = min(best, key=len)
        assert all(smallest <= inner for inner in best)  # it is contained in all the others
        pruned = model.pruned(lam=float(lam))
        assert kept(model, pruned) == smallest
        if lam > 0:
            direct = fitted(kind, X, y, D, **model.get_params() | {"lam": float(lam)}) if kind == "variance" else None
            assert direct is None or kept(model, direct) == smallest
    for lam, n_leaves, r in zip(*path, strict=True):
        pruned = model.pruned(lam=float(lam))
        assert pruned.n_leaves_ == n_leaves
        loss = (pruned.predict(X) - y) ** 2 if kind == "variance" else pruned.predict(X) != y
        assert D @ loss == pytest.approx(r, abs=1e-12)
    assert path.n_leaves[-1] == 1 and (np.diff(path.n_leaves) < 0).all() and (np.diff(path.lam) > 0).all()


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("kind", ["gini", "variance"])
def test_the_best_pruning_of_every_size(kind, seed):
    model, X, y, D, risk = small_tree(kind, seed)
    every = [*prunings(model.tree_, risk)]
    least = model.best_prunings()
    assert len(least) == model.n_leaves_
    for n in range(1, model.n_leaves_ + 1):
        assert least[n - 1] == pytest.approx(min(r for r, inner in every if len(inner) == n - 1), abs=1e-12)
        pruned = model.pruned(n_leaves=n)
        loss = (pruned.predict(X) - y) ** 2 if kind == "variance" else pruned.predict(X) != y
        assert pruned.n_leaves_ == n and D @ loss == pytest.approx(least[n - 1], abs=1e-12)
    assert model.pruned(n_leaves=99).n_leaves_ == model.n_leaves_


def test_lam_prunes_at_fit_and_zero_keeps_the_grown_tree(rng):
    X, y = rng.normal(size=(200, 2)), rng.integers(2, size=200)
    full = DecisionTree().fit(X, y)
    for lam in (1e-9, 0.004, 0.01, 1.0):
        same_tree(DecisionTree(lam=lam).fit(X, y).nested(), full.pruned(lam=lam).nested())
    assert DecisionTree(lam=1.0).fit(X, y).n_leaves_ == 1
    assert full.pruned(lam=0).n_leaves_ <= full.n_leaves_ and full.pruned(lam=0).score(X, y) == 1
    for n, r in enumerate(full.best_prunings(), start=1):
        assert r <= 1 - full.truncated(n).score(X, y) + 1e-12
    path = full.pruning_path()
    np.testing.assert_allclose(path.risk, full.best_prunings()[path.n_leaves - 1], atol=1e-12)


# --- reading and awkward inputs --------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", ["gini", "variance"])
def test_the_nested_tree_predicts_the_same(kind, seed):
    X, y, D, categorical, _ = sample(seed, kind)
    tree = fitted(kind, X, y, D, categorical=categorical)
    nested = tree.nested()
    new = np.random.default_rng(seed).integers(-1, 9, size=(60, 4)) + 0.0  # with values never seen
    for points in (X, new):
        assert np.array_equal(predict(nested, points), tree.predict(points))
    assert len(tree.text().splitlines()) == len(tree.tree_) - 1 or tree.n_leaves_ == 1
    for x in X[:5]:
        path = tree.decision_path(x)
        assert path[0] == 0 and path[-1] == tree.apply(x[None])[0] and len(path) <= tree.depth_ + 1
        assert all(b in (tree.tree_.left[a], tree.tree_.right[a]) for a, b in itertools.pairwise(path))


def test_leaves_hold_counts_and_the_tie_goes_to_the_last_class():
    X, y = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]]), np.array(["b", "a", "a", "a", "b"])
    tree = DecisionTree().fit(X, y)
    assert tree.nested() == Node(Threshold(0, 0.5), (Leaf("b"), Leaf("a")))
    assert [leaf.counts for leaf in tree.nested().children] == [(1, 1), (2, 1)]
    np.testing.assert_allclose(tree.predict_proba(X[[0, 2]]), [[0.5, 0.5], [2 / 3, 1 / 3]])
    assert tree.predict([[0.0]]) == ["b"]
    three = DecisionTree().fit(np.zeros((3, 1)), [5, 3, 4])
    assert three.predict([[0.0]]) == [5] and three.n_leaves_ == 1


def test_a_categorical_test_names_the_values_that_go_right():
    X = np.array([[10.0], [20.0], [30.0], [20.0], [10.0], [40.0]])
    y = np.array([1, 0, 1, 0, 1, 0])
    tree = DecisionTree(categorical=[0]).fit(X, y)
    assert tree.nested() == Node(Member(0, (10.0, 30.0)), (Leaf(0), Leaf(1)))
    assert tree.predict([[50.0], [15.0]]).tolist() == [0, 0]  # new values go left


@pytest.mark.parametrize("offset", [0.0, 1e8, -1e12])
def test_a_large_offset_of_the_targets_changes_no_split(offset, rng):
    X, y = rng.normal(size=(80, 3)), rng.integers(-40, 40, size=80) / 8.0  # exact also next to the offset
    a, b = RegressionTree().fit(X, y), RegressionTree().fit(X, y + offset)
    assert np.array_equal(a.tree_.feature, b.tree_.feature)
    np.testing.assert_array_equal(a.tree_.threshold, b.tree_.threshold)
    np.testing.assert_allclose(b.predict(X) - offset, a.predict(X), atol=1e-3 if offset else 0)
    np.testing.assert_allclose(a.tree_.impurity, b.tree_.impurity, atol=1e-3)


def test_small_differences_beside_a_large_step_are_still_found(rng):
    x = np.arange(64.0)
    y = np.where(x < 32, 0.0, 1e9) + (x % 32 < 16)
    tree = RegressionTree(max_depth=2).fit(np.column_stack([rng.normal(size=64), x]), y)
    assert set(tree.tree_.threshold[tree.tree_.left >= 0]) == {31.5, 15.5, 47.5}
    assert np.array_equal(tree.predict(np.column_stack([np.zeros(64), x])), y)


@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1.0, 1e140])
def test_the_scale_of_the_targets_changes_no_split(scale, rng):
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    a, b = RegressionTree(max_depth=3).fit(X, y), RegressionTree(max_depth=3).fit(X, y * scale)
    np.testing.assert_array_equal(a.tree_.threshold, b.tree_.threshold)
    np.testing.assert_allclose(b.predict(X), scale * a.predict(X), rtol=1e-9)


def test_constant_targets_and_features():
    X = np.zeros((5, 2))
    assert RegressionTree().fit(X, np.arange(5.0)).predict(X[:1]) == [2.0]
    for n in range(1, 40):  # 0.1 + 0.1 + 0.1 is not 0.3
        assert RegressionTree().fit(np.zeros((n, 1)), np.full(n, 0.1)).predict([[0.0]]) == [0.1]
    one = RegressionTree().fit(np.arange(10.0).reshape(5, 2), np.full(5, 0.1))
    assert one.n_leaves_ == 1 and np.array_equal(one.predict(X), np.full(5, 0.1))
    assert one.pruning_path().n_leaves.tolist() == [1] and one.best_prunings().tolist() == [0.0]
    assert one.text() == "0.1  (5)" and one.decision_path([0, 0]) == [0] and one.truncated(1).n_leaves_ == 1


@pytest.mark.parametrize("values", [(1e308, -1e308), (5e-324, 1e-323), (1.0, 1.0 + 2**-52)])
def test_values_at_the_ends_of_the_floats_are_separated(values):
    X, y = np.array(values)[:, None], [0, 1]
    assert DecisionTree().fit(X, y).score(X, y) == 1
    assert RegressionTree().fit(X, y).score(X, y) == 1


@pytest.mark.parametrize("name", PSI)
def test_one_example_of_each_class_and_weights_of_all_sizes(name):
    X, y = np.arange(6.0)[:, None], np.arange(6)
    assert DecisionTree(name).fit(X, y).score(X, y) == 1
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    for D in (np.geomspace(1e-300, 1, 40), np.geomspace(1, 1e-12, 40), np.where(y == 0, 1e-18, 1.0)):
        tree = DecisionTree(name).fit(X, y, D)
        assert tree.score(X, y) == 1 and np.isfinite(tree.tree_.decrease).all() and (tree.tree_.decrease >= 0).all()


def test_a_chain_of_single_examples_is_grown_and_read_to_its_end():
    X, y = np.arange(1500.0)[:, None], np.arange(1500) % 2  # the zero-one criterion peels examples off
    tree = DecisionTree("zero-one").fit(X, y)
    assert tree.score(X, y) == 1 and tree.n_leaves_ == 1500
    assert np.array_equal(predict(tree.nested(), X), y) and tree.text().count("\n") == 2 * 1499 - 1
    assert tree.pruning_path().n_leaves[-1] == 1


def test_the_pruning_path_of_a_deep_tree_is_found_link_by_link():
    X, y = np.arange(600.0)[:, None], np.exp(-np.arange(600) / 8)  # steps that shrink: the tree is a long chain
    model = RegressionTree().fit(X, y)
    assert model.depth_ > 250
    tree, risk = model.tree_, model.tree_.impurity
    path, clear = model.pruning_path(), model.pruning_path().lam > 1e-9 * risk[0]  # well above rounding
    assert clear.sum() > 60
    for lam, n_leaves in zip(path.lam[clear][::7], path.n_leaves[clear][::7], strict=True):
        cost, leaves = risk + lam * (1 + 1e-6), np.ones(len(tree), dtype=int)  # a little above, away from the tie
        for t in np.flatnonzero(tree.left >= 0)[::-1]:
            a, b = tree.left[t], tree.right[t]
            if cost[a] + cost[b] < cost[t]:
                cost[t], leaves[t] = cost[a] + cost[b], leaves[a] + leaves[b]
        assert leaves[0] == n_leaves


def test_what_cannot_be_pruned_or_read_is_refused():
    with pytest.raises(ValueError, match="at most 1e150"):
        RegressionTree().fit(np.eye(2), [0, 1e200])
    tree = DecisionTree().fit(np.eye(3), [0, 1, 1])
    for wrong in ({}, {"lam": 1.0, "n_leaves": 2}):
        with pytest.raises(ValueError, match="either lam or n_leaves"):
            tree.pruned(**wrong)
    with pytest.raises(ValueError, match="n_leaves must be an integer of at least 1"):
        tree.truncated(0)
    with pytest.raises(ValueError, match="2 features"):
        tree.apply(np.eye(2))
    for method in ("nested", "text", "pruning_path", "best_prunings"):
        with pytest.raises(ValueError, match="not fitted yet"):
            getattr(DecisionTree(), method)()


def test_prunings_leave_the_model_as_it_was():
    X, y = np.random.default_rng(0).normal(size=(50, 2)), np.arange(50) % 3
    tree = DecisionTree().fit(X, y)
    before, n = tree.predict_proba(X), tree.n_leaves_
    for other in (tree.pruned(lam=0.02), tree.truncated(3), tree.pruned(n_leaves=2)):
        assert other.n_leaves_ < n and other.predict(X).shape == (50,)
        assert len(other.rank_) == len(other.tree_) == 2 * other.n_leaves_ - 1 == len(greedy_ranks(other.tree_))
    assert tree.n_leaves_ == n and np.array_equal(tree.predict_proba(X), before)


# --- tables with names -----------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(12))
def test_a_table_with_names_gives_the_tree_of_its_codes(seed, rng):
    names = np.array(["sunny", "rain", "overcast", "a much longer name"])
    codes, x, more = rng.integers(0, 4, 60), rng.normal(size=60).round(1), rng.integers(0, 3, 60)
    y = rng.integers(0, 2 + seed % 2, 60)
    rank = np.argsort(np.argsort(names))  # codes in the order of the names, as ties ask for it
    table = [(names[c], v, int(n)) for c, v, n in zip(codes, x, more, strict=True)]
    for model in (DecisionTree, RegressionTree):
        coded = model(categorical=(0, 2)).fit(np.column_stack([rank[codes], x, more]), y)
        named = model(categorical=(0, 2)).fit(table, y)
        assert np.array_equal(named.tree_.left, coded.tree_.left)
        assert np.array_equal(named.tree_.feature, coded.tree_.feature)
        assert np.array_equal(named.predict(table), coded.predict(np.column_stack([rank[codes], x, more])))
        assert np.array_equal(named.predict(table), predict(named.nested(), table))
        assert named.decision_path(table[0])[-1] == named.apply(table)[0]


def test_a_name_not_seen_in_training_is_in_no_set():
    tree = DecisionTree(categorical=(0,)).fit([("a", 1.0), ("b", 2.0), ("b", 0.0)], [0, 1, 1])
    assert tree.nested().test == Member(0, ("b",))
    assert tree.predict([("c", 2.0), ("a name longer than any before", 2.0)]).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([("a", 1.0), (2, 1.0)], "column 0 must hold all strings or all numbers"),
        ([("a", 1.0), (None, 1.0)], "column 0 must hold all strings or all numbers"),
        ([(None, 1.0), (None, 1.0)], "column 0 must hold all strings or all numbers"),
        ([("a", "b"), ("b", "c")], "X must hold numbers"),
        ([("a", np.nan), ("b", 1.0)], "X must be finite"),
        ([("a", 1.0), ("b", 1.0, 2.0)], "rows of the same length"),
        ([], "Expected 2D array"),
        (["a", "b"], "Expected 2D array"),
    ],
)
def test_tables_that_are_none_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        DecisionTree(categorical=(0,)).fit(table, [0, 1])
    fitted = DecisionTree(categorical=(0,)).fit([("a", 1.0), ("b", 2.0)], [0, 1])
    with pytest.raises(ValueError, match=message):
        fitted.predict(table)


def test_numbers_where_names_were_are_refused():
    tree = DecisionTree(categorical=(0,)).fit([("a", 1.0), ("b", 2.0)], [0, 1])
    with pytest.raises(ValueError, match="column 0 must hold all strings or all numbers, in training and later"):
        tree.predict([[1.0, 2.0]])
    with pytest.raises(ValueError, match="X has 1 features"):
        tree.predict([("a",)])
