"""Where a promise holds: it answers at the closed ends of its domain and just inside the open ones, and nowhere beyond.

A letter has the same domain in most promises; the table lists those, and below it the promises that differ. The other
arguments are those of ``test_hostile.py``.
"""

import runpy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mlcourse import theory

HOSTILE = runpy.run_path(str(Path(__file__).parents[1] / "test_hostile.py"))
PROMISES = HOSTILE["PROMISES"] | {"novikoff": theory.novikoff, "adaline_distance": theory.adaline_distance}
del PROMISES["quadratic_rate"]  # holds for all numbers
RIGHT = {name: HOSTILE["right_arguments"](name, promise, HOSTILE["NUMBERS"]) for name, promise in PROMISES.items()}
USUAL = {
    "m": "[1", "n": "[1", "T": "[1", "N": "[1", "V": "[1", "d": "[1", "k": "[1", "r": "[1", "K": "[1", "M": "[0",
    "n_hypotheses": "[1", "n_vectors": "[1", "n_candidates": "[1", "n_weights": "[1", "B": "[0", "R": "[0", "U": "(0",
    "G": "(0", "c": "[0", "trace": "[0", "complexity": "[0", "norm": "[0", "sigma": "[0", "H": "[0", "gap": "[0",
    "epsilon": "(0", "delta": "(0 1]", "lam": "(0", "rho": "(0", "mu": "(0", "tau": "(0", "gamma": "(0", "width": "(0",
    "error": "[0 1]", "p": "[0 1]", "q": "[0 1]", "bayes_risk": "[0 1/2]", "edge": "(0 1/2]", "variance": "[0",
}  # fmt: skip
OTHER = {
    "best_quadratic_rate": {"mu": "(0 2]", "L": "[1/2"},
    "stationary_sum": {"tau": "(0 1)"},  # tau < 2 / L
    "convex_gap": {"t": "[1"},
    "zoutendijk_sum": {"c1": "(0 2/5)", "c2": "(1/10 1)"},
    "sgd_average": {"tau": "(0 1/2]"},
    "noise_floor": {"tau": "(0 4)", "mu": "(0 8)"},
    "adaline_errors": {"tau": "(0 2)"},
    "adaline_distance": {"tau": "(0 1)"},
    "boolean_excess": {"d": "[0"},
    "block_risk": {"m": "[0"},
    "boolean_trees": {"d": "[1 4]"},
    "coin_gap": {"lam": "[1", "R": "[0 2]"},  # R^2 <= lam, where R = 1 or lam = 4
    "clopper_pearson_interval": {"errors": "[0 5]", "n": "[2"},
    "clopper_pearson_upper": {"errors": "[0 5]", "n": "[2"},
    "consistency_term": {"lam": "[0"},
    "description_deviation": {"bits": "[0"},
    "effective_size": {"c": "(-1/4 1]"},  # 1 + (n - 1) c > 0, where n = 5
    "variance_of_mean": {"c": "[-1/4 1]"},
    "expected_gap_bound": {"G": "[0"},
    "exponential_calibration": {"excess": "[0 1]"},
    "exponential_deviation": {"m": "[2", "V": "[1 10]", "lam": "[0"},  # V <= m
    "gaussian_degree": {"epsilon": "(0 1)", "gamma": "(0 500000000000]"},  # 2 gamma R^2 <= 10^12, where R = 1
    "gaussian_truncation": {"degree": "[0", "gamma": "(0 500000000000]"},
    "halves_probability": {"epsilon": "[0"},
    "hoeffding_moment": {"width": "[0"},
    "hull_deviation": {"m": "[2", "V": "[1 10]"},
    "hull_uniform_deviation": {"m": "[2", "V": "[1 10]", "rho": "(0 1]"},
    "independent_vote": {"edge": "[0 1/2]"},
    "independent_vote_sharp": {"edge": "[0 1/2]"},
    "interpolation_error": {"G": "[0", "width": "[0"},
    "interval_class": {"k": "[0 6]"},
    "k_fold_variance": {"within": "[-1 1]", "between": "[-1 1]"},
    "kernel_perceptron_bound": {"diagonal": "[0"},
    "knn_excess": {"m": "[5", "k": "[1 10]"},  # k <= m
    "knn_risk": {"m": "[9", "k": "[7 10]"},
    "linear_k_risk": {"a": "(2/5 1)", "q": "(0 1/4)"},  # 2q < a < 1
    "magnified_noise": {"m": "[2"},
    "majority_factor": {"k": "[7"},
    "margin_error": {"rho": "[0 1]"},
    "margin_limit": {"edge": "(0 1/2)"},
    "margin_norm_deviation": {"norm": "[1"},
    "margin_uniform_data_deviation": {"rho": "(0 1]"},
    "margin_uniform_deviation": {"rho": "(0 1]"},
    "markov_probability": {"mean": "[0", "a": "(0"},
    "massart": {"r": "[0"},
    "network_bits": {"V": "[2"},
    "no_free_lunch": {"m": "[0"},
    "occam_deviation": {"w": "(0 1]"},
    "out_of_bag_fraction": {"B": "[1"},
    "product_identity_error": {"p": "[0 1/2]"},
    "relu_gradient": {"L": "[0", "gain": "[0", "gain_out": "[0"},
    "relu_pieces": {"L": "[1"},
    "replacement_distance": {"G": "[0"},
    "replacement_stability": {"G": "[0"},
    "sauer": {"m": "[0", "V": "[0"},
    "sauer_power": {"m": "[2", "V": "[1 10]"},
    "smo_gap": {"C": "(0", "tol": "[0"},
    "square_batch_excess": {"R": "(0"},
    "square_batch_floor": {"R": "(0"},
    "square_gradient": {"R": "(0"},
    "square_regret": {"R": "(0"},
    "strength_bound": {"s": "(0 1]", "c": "[0 1]"},
    "strength_bound_sharp": {"s": "(0 1]", "c": "[0 1]"},
    "svm_best_lam": {"R": "(0"},
    "svm_best_penalty": {"U": "[0"},
    "svm_penalty": {"U": "[0"},
    "symmetric_copies": {"N": "[0 8]"},
    "threshold_bits": {"d": "[2"},
    "vc_complexity": {"m": "[2", "V": "[1 10]"},
    "vc_deviation": {"V": "[1 20]"},  # V <= 2m
    "vc_probability": {"V": "[1 20]", "epsilon": "[0"},
    "wald_coverage_limit": {"p": "(0 1)"},
}
FREE = {  # arguments that may be any number, or are tried below
    "block_risk": "qn", "hoeffding_moment": "s", "novikoff": "R", "vc_deviation": "m", "vc_probability": "m",
    "decode_tree": "d", "growth_function": "m", "noise_floor": ["sigma"], "zoutendijk_sum": ["L", "decrease"],
    "batch_excess": ["regret"], "margin_probability": ["epsilon"], "two_layer_probability": ["epsilon"],
    "k_fold_variance": ["m", "n_folds", "variance"], "stationary_sum": ["L", "decrease"], "convex_gap": ["distance"],
    "sgd_average": ["L", "decrease", "sigma"], "adaline_errors": ["R", "distance"],
    "adaline_distance": ["t", "R", "noise", "distance"], "slow_rate_law": ["n_blocks"], "random_signs": ["n_draws"],
}  # fmt: skip
WHOLE = {
    "m": ["all_signs", "cover_labellings", "growth_bits", "independent_events", "interval_class", "magnified_noise",
          "maximum_errors", "out_of_bag_fraction", "random_signs", "sauer", "threshold_class", "threshold_complexity",
          "unique_fraction"],
    "d": ["boolean_nodes_floor", "boolean_trees", "boolean_units", "boolean_weights_floor", "count_trees",
          "cover_labellings", "encode_tree", "threshold_bits", "tree_bits", "tree_deviation", "tree_kraft_sum"],
    "M": ["boolean_trees", "catalan", "count_trees", "tree_bits", "tree_deviation", "tree_excess", "tree_sample_size"],
    "n": ["clopper_pearson_interval", "clopper_pearson_upper", "expected_least_error"],
    "errors": ["clopper_pearson_interval", "clopper_pearson_upper"],
    "T": ["majority_error", "pegasos_excess", "pegasos_sum", "product_identity_error"],
    "N": ["interpolation_error", "relu_pieces", "symmetric_copies"],
    "V": ["network_bits", "sauer", "vc_sample_size"],
    "n_weights": ["growth_bits", "network_vc"],
    "L": ["relu_gradient", "relu_pieces"],
    "B": ["out_of_bag_fraction"],
    "degree": ["gaussian_truncation"],
    "k": ["interval_class"],
}  # fmt: skip
SLOW = {"boolean_trees", "interval_class", "symmetric_copies"}  # their upper ends are for the computer's sake


def domain(name, argument):
    """The domain's text, or None if the argument is no number, or free."""
    if argument in FREE.get(name, ()) or not isinstance(RIGHT[name][argument], (int, float)):
        return None
    return OTHER.get(name, {}).get(argument) or USUAL[argument]


def ends(text, whole):
    """Numbers at the ends of an interval such as "(0 1/2]": those just inside, and those just outside."""
    low, high = (text.rstrip(")]").split() + ["inf"])[:2]
    inside, outside = [], []
    for end, closed, inwards in ((low[1:], low[0] == "[", 1), (high, text.endswith("]"), -1)):
        if end != "inf":
            number = float(Fraction(end))
            step = 1 if whole else 1e-6 * max(1, number)
            inside.append(number if closed else number + inwards * step)
            outside.append(number - inwards * step if closed else number)
    return [int(x) if whole else x for x in inside], outside


CASES = [(name, argument) for name in RIGHT for argument in RIGHT[name] if domain(name, argument)]


def call(name, **changed):
    return PROMISES[name](**RIGHT[name] | changed)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name, argument", CASES)
def test_a_promise_holds_up_to_the_ends_of_its_domain_and_not_beyond(name, argument):
    whole = name in WHOLE.get(argument, [])
    inside, outside = ends(domain(name, argument), whole)
    for number in inside:
        answer = call(name, **{argument: number})
        if name not in SLOW:
            assert not np.isnan(np.asarray(answer, dtype=float)).any()
    for number in outside[: 1 if name in SLOW else None]:
        with pytest.raises(ValueError, match="holds for|must"):
            call(name, **{argument: number})
    if whole:
        with pytest.raises(ValueError, match="holds for|must"):
            call(name, **{argument: inside[0] + 0.5})


def test_the_table_names_arguments_that_exist():
    listed = {(name, argument) for name in OTHER for argument in OTHER[name]}
    listed |= {(name, argument) for argument in WHOLE for name in WHOLE[argument]}
    listed |= {(name, argument) for name in FREE for argument in FREE[name]}
    assert listed <= {(name, argument) for name in RIGHT for argument in RIGHT[name]}


def test_tables_of_edges_norms_and_covariances_have_ends_too():
    assert theory.edge_bound([-0.5, 0.5]) == pytest.approx(np.exp(-1))
    for edge in (-0.5 - 1e-9, 0.5 + 1e-9):
        with pytest.raises(ValueError, match="edge"):
            theory.edge_bound([0.0, edge])
    assert theory.gradient_factor([0.0, 1.0], [1.0, 0.0]) == 0
    for slopes, norms in (([-1e-9, 1.0], [1.0, 1.0]), ([1.0, 1.0], [1.0, -1e-9])):
        with pytest.raises(ValueError, match="slopes|norms"):
            theory.gradient_factor(slopes, norms)
    assert theory.margin_error([0.0, 0.5], 0.0) == 0
    for epsilon in (-1e-9, 0.5 + 1e-9):
        with pytest.raises(ValueError, match="epsilon"):
            theory.margin_error(epsilon, 0.0)
    assert theory.k_fold_variance(4, 2, 0.0, 0.0, 0.0) == 0
    for wrong in ((4, 1, 1, 0, 0), (4, 8, 1, 0, 0), (5, 2, 1, 0, 0), (4, 2, -1e-9, 0, 0), (4, 2, 1, 1.1, 0)):
        with pytest.raises(ValueError, match="holds for"):
            theory.k_fold_variance(*wrong)
    assert theory.k_fold_variance(4, 4, 1, 0, 0) == 0.25
    assert theory.azuma_probability(1.0, [0.0, 1.0]) == pytest.approx(np.exp(-2))
    for c in ([0.0, 0.0], [1.0, -1e-9]):
        with pytest.raises(ValueError, match="differences|c >= 0"):
            theory.azuma_probability(1.0, c)


def test_the_smallest_failure_probability_of_an_exact_limit():
    assert 0 < theory.clopper_pearson_upper(0, 10, 1e-100) <= 1
    with pytest.raises(ValueError, match="1e-100"):
        theory.clopper_pearson_upper(0, 10, 9e-101)
    assert theory.gaussian_degree(1e-300, 1.0, 1.0) > 0
    with pytest.raises(ValueError, match="1e-300"):
        theory.gaussian_degree(9e-301, 1.0, 1.0)


def test_blocks_have_more_points_than_mass_and_masses_of_at_most_one():
    assert theory.block_risk(0, [0.5, 0.5], [1, 1]) == 0.5
    for q, n in (([0.5, -1e-3], [1, 1]), ([1.0, 0.0], [1, 1]), ([0.6, 0.5], [2, 2]), ([0.5], [1, 1]), ([[0.5]], [[1]])):
        with pytest.raises(ValueError, match="holds for|must list"):
            theory.block_risk(1, q, n)


def test_a_matrix_is_square_and_the_signs_fit_it():
    with pytest.raises(ValueError, match="K must have shape"):
        theory.kernel_suprema(np.ones((2, 3)), np.ones((1, 2)))
    with pytest.raises(ValueError, match="sigma must have shape"):
        theory.kernel_suprema(np.eye(3), np.ones((1, 2)))
    with pytest.raises(ValueError, match="B >= 0"):
        theory.kernel_suprema(np.eye(2), np.ones((1, 2)), B=[1.0, 2.0])


def test_without_a_penalty_or_a_rate_there_is_no_promise():
    with pytest.raises(ValueError, match="lam > 0"):
        theory.coin_gap(5, 0.0, 0.0)
    for first in (0.0, 0.5, -0.1):
        with pytest.raises(ValueError, match="a\\(1\\)"):
            theory.slow_rate_law(lambda m, first=first: first / m, 3)
