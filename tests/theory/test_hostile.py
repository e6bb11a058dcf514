"""Every promise, given nonsense for any of its arguments: a clear ``ValueError`` or a right answer, never a warning."""

import re

import numpy as np
import pytest

from mlcourse import theory

RNG = np.random.default_rng(0)
SIGNS, CLASS = np.ones((2, 3)), [[1, -1], [1, 1]]
SENSIBLE = {  # arguments for each function of this part
    "all_signs": {"m": 3},
    "azuma_probability": {"epsilon": 0.1, "c": [0.1, 0.2]},
    "ball_complexity": {"m": 5, "trace": 2.0, "B": 1.0},
    "batch_excess": {"m": 10, "delta": 0.1, "regret": 2.0, "c": 1.0},
    "block_risk": {"m": 3, "q": [0.5, 0.5], "n": [2, 3]},
    "boolean_excess": {"m": 10, "d": 3, "delta": 0.1},
    "boolean_nodes_floor": {"d": 3},
    "boolean_trees": {"M": 1, "d": 2},
    "boolean_units": {"d": 3},
    "boolean_weights_floor": {"d": 3},
    "catalan": {"M": 3},
    "chebyshev_probability": {"variance": 1.0, "epsilon": 0.5},
    "chernoff_floor": {"m": 10, "q": 0.2, "p": 0.3},
    "chernoff_probability": {"m": 10, "q": 0.2, "p": 0.3},
    "clopper_pearson_interval": {"errors": 2, "n": 10, "delta": 0.1},
    "clopper_pearson_upper": {"errors": 2, "n": 10, "delta": 0.1},
    "coin_gap": {"m": 5, "lam": 4.0, "R": 1.5},
    "consistency_term": {"m": 100, "lam": 1.0},
    "count_trees": {"M": 2, "d": 3},
    "cover_hart": {"bayes_risk": 0.1},
    "cover_labellings": {"m": 4, "d": 2},
    "decode_tree": {"word": "10001", "d": 2},
    "description_deviation": {"m": 10, "bits": 3, "delta": 0.1},
    "dichotomies": {"values": CLASS},
    "edge_bound": {"edge": [0.1, 0.2]},
    "effective_size": {"n": 5, "c": 0.1},
    "encode_tree": {"tree": (0, -1, 1), "d": 2},
    "enough_rounds": {"m": 100, "edge": 0.1},
    "enough_votes": {"edge": 0.1, "delta": 0.1},
    "erm_excess": {"m": 10, "n_hypotheses": 5, "delta": 0.1},
    "erm_probability": {"m": 10, "n_hypotheses": 5, "epsilon": 0.1},
    "erm_sample_size": {"n_hypotheses": 5, "epsilon": 0.1, "delta": 0.1},
    "expected_gap_bound": {"m": 10, "lam": 0.5, "G": 2.0},
    "expected_least_error": {"n": 5, "n_candidates": 3, "p": 0.5},
    "exponential_calibration": {"excess": 0.2},
    "exponential_deviation": {"m": 100, "V": 2, "lam": 1.0, "delta": 0.1},
    "exponential_risk": {"epsilon": [0.2, 0.3]},
    "gaussian_degree": {"epsilon": 0.1, "gamma": 1.0, "R": 1.0},
    "gaussian_truncation": {"degree": 3, "gamma": 1.0, "R": 1.0},
    "gradient_factor": {"slopes": [0.25, 0.25], "norms": [2.0, 3.0]},
    "growth_bits": {"m": 10, "n_weights": 5},
    "growth_function": {"values": CLASS, "m": 1},
    "half_space_class": {"X": [[0.0], [1.0]]},
    "halves_probability": {"m": 5, "epsilon": 0.1},
    "histogram_excess": {"m": 100, "d": 2, "c": 1.0, "K": 3},
    "histogram_rate": {"m": 100, "d": 2, "c": 1.0},
    "hoeffding_deviation": {"m": 10, "delta": 0.1, "width": 1.0},
    "hoeffding_moment": {"s": 1.0, "width": 1.0},
    "hoeffding_probability": {"m": 10, "epsilon": 0.1, "width": 1.0},
    "hoeffding_sample_size": {"epsilon": 0.1, "delta": 0.1, "width": 1.0},
    "hoeffding_sum_probability": {"epsilon": 0.5, "widths": [1.0, 2.0]},
    "hold_out_variance": {"sigma": 1.0, "n": 5},
    "hull_deviation": {"m": 100, "V": 2, "rho": 0.2, "delta": 0.1},
    "hull_uniform_deviation": {"m": 100, "V": 2, "rho": 0.2, "delta": 0.1},
    "independent_events": {"m": 8},
    "independent_vote": {"T": 10, "edge": 0.1},
    "independent_vote_sharp": {"T": 10, "edge": 0.1},
    "interpolation_error": {"N": 10, "G": 1.0, "width": 2.0},
    "interval_class": {"m": 3, "k": 1},
    "is_prefix_free": {"words": ["0", "10"]},
    "k_fold_variance": {"m": 10, "n_folds": 5, "variance": 1.0, "within": 0.1, "between": 0.1},
    "kernel_perceptron_bound": {"norm": 2.0, "diagonal": 1.0},
    "kernel_suprema": {"K": np.eye(3), "sigma": SIGNS, "B": 1.0},
    "kl": {"q": 0.2, "p": 0.3},
    "kl_upper": {"error": 0.2, "n": 10, "delta": 0.1},
    "knn_excess": {"m": 100, "k": 5, "d": 2, "c": 1.0},
    "knn_rate": {"m": 100, "d": 2, "c": 1.0},
    "knn_risk": {"m": 100, "k": 11, "d": 2, "c": 1.0, "bayes_risk": 0.1},
    "kraft_code": {"lengths": [1, 2, 2]},
    "kraft_sum": {"lengths": [1, 2, 2]},
    "linear_k_risk": {"m": 100, "a": 0.5, "q": 0.1},
    "linear_suprema": {"X": np.eye(3), "sigma": SIGNS, "B": 1.0},
    "magnified_noise": {"m": 5},
    "majority_error": {"T": 11, "p": 0.3},
    "majority_factor": {"k": 11},
    "margin_error": {"epsilon": [0.2, 0.3], "rho": 0.1},
    "margin_limit": {"edge": 0.1},
    "margin_data_deviation": {"m": 10, "delta": 0.1, "rho": 0.5, "B": 1.0, "trace": 2.0},
    "margin_deviation": {"m": 10, "delta": 0.1, "rho": 0.5, "B": 1.0, "R": 2.0},
    "margin_norm_deviation": {"m": 10, "delta": 0.1, "norm": 3.0, "R": 2.0},
    "margin_probability": {"m": 10, "epsilon": 0.1, "rho": 0.5, "B": 1.0, "R": 2.0},
    "margin_sample_size": {"epsilon": 0.1, "delta": 0.1, "rho": 0.5, "B": 1.0, "R": 2.0},
    "margin_uniform_data_deviation": {"m": 10, "delta": 0.1, "rho": 0.5, "B": 1.0, "trace": 2.0},
    "margin_uniform_deviation": {"m": 10, "delta": 0.1, "rho": 0.5, "B": 1.0, "R": 2.0},
    "markov_probability": {"mean": 1.0, "a": 2.0},
    "massart": {"m": 5, "n_vectors": 3, "r": 1.0},
    "maximum_errors": {"m": 5},
    "mcdiarmid_deviation": {"delta": 0.1, "c": [0.1, 0.2]},
    "mcdiarmid_probability": {"epsilon": 0.1, "c": [0.1, 0.2]},
    "minimax_regret": {"T": 10, "U": 1.0, "G": 2.0},
    "missed_mass": {"m": 100, "r": 5},
    "nearest_distance": {"m": 100, "d": 2},
    "nearest_distance_floor": {"m": 100, "d": 2},
    "nearest_distance_sharp": {"m": 100, "d": 2},
    "network_bits": {"V": 5},
    "network_vc": {"n_weights": 5},
    "no_free_lunch": {"m": 3, "N": 6},
    "occam_deviation": {"m": 10, "w": 0.2, "delta": 0.1},
    "ogd_regret": {"T": 10, "U": 1.0, "G": 2.0},
    "ogd_regret_of_step": {"T": 10, "U": 1.0, "G": 2.0, "tau": 0.5},
    "one_nn_accuracy": {"m": 100, "d": 2, "c": 1.0},
    "one_nn_risk": {"m": 100, "d": 2, "c": 1.0, "bayes_risk": 0.1},
    "one_nn_sample_size": {"epsilon": 0.1, "d": 2, "c": 1.0},
    "out_of_bag_fraction": {"m": 10, "B": 5},
    "perceptron_oracle": {"H": 3.0, "norm": 2.0, "R": 1.0},
    "perceptron_oracle_sharp": {"H": 3.0, "norm": 2.0, "R": 1.0},
    "pegasos_excess": {"T": 10, "lam": 0.1, "R": 2.0},
    "pegasos_sum": {"T": 10, "lam": 0.1, "R": 2.0},
    "rademacher": {"values": np.eye(3), "sigma": SIGNS},
    "rademacher_data_deviation": {"m": 10, "delta": 0.1, "complexity": 0.1},
    "rademacher_deviation": {"m": 10, "delta": 0.1, "complexity": 0.1},
    "random_signs": {"n_draws": 3, "m": 4, "rng": RNG},
    "product_identity_error": {"T": 5, "p": 0.3},
    "rare_mass": {"m": 100, "k": 3, "r": 5},
    "realisable_probability": {"m": 10, "n_hypotheses": 5, "epsilon": 0.1},
    "realisable_risk": {"m": 10, "n_hypotheses": 5, "delta": 0.1},
    "realisable_sample_size": {"n_hypotheses": 5, "epsilon": 0.1, "delta": 0.1},
    "regret_floor": {"T": 10, "U": 1.0, "G": 2.0},
    "relu_gradient": {"L": 5, "gain": 2.0, "gain_out": 1.0},
    "relu_pieces": {"N": 3, "L": 2},
    "replacement_distance": {"m": 10, "lam": 0.5, "G": 2.0},
    "replacement_stability": {"m": 10, "lam": 0.5, "G": 2.0},
    "risk_deviation": {"n": 10, "delta": 0.1},
    "risk_interval": {"error": 0.2, "n": 10, "delta": 0.1},
    "risk_probability": {"n": 10, "epsilon": 0.1},
    "risk_sample_size": {"epsilon": 0.1, "delta": 0.1},
    "risk_upper": {"error": 0.2, "n": 10, "delta": 0.1},
    "sauer": {"m": 5, "V": 2},
    "sauer_power": {"m": 5, "V": 2},
    "selection_optimism": {"n": 5, "n_candidates": 3},
    "shattered_sets": {"values": CLASS},
    "shatters": {"values": CLASS},
    "sine_frequency": {"y": [1, -1]},
    "slow_rate_law": {"a": lambda m: 0.4 / m, "n_blocks": 4},
    "square_batch_excess": {"m": 10, "delta": 0.1, "U": 1.0, "R": 2.0},
    "square_batch_floor": {"m": 10, "U": 1.0, "R": 2.0},
    "square_gradient": {"U": 1.0, "R": 2.0},
    "square_regret": {"T": 10, "U": 1.0, "R": 2.0},
    "strength_bound": {"s": 0.5, "c": 0.2},
    "strength_bound_sharp": {"s": 0.5, "c": 0.2},
    "strong_regret": {"T": 10, "G": 2.0, "mu": 0.5},
    "strong_regret_exact": {"T": 10, "G": 2.0, "mu": 0.5},
    "smo_gap": {"m": 10, "C": 2.0, "tol": 0.01},
    "suprema": {"values": np.eye(3), "sigma": SIGNS},
    "svm_best_lam": {"m": 10, "U": 2.0, "R": 1.0},
    "svm_best_penalty": {"m": 10, "U": 2.0, "R": 1.0},
    "svm_penalty": {"m": 10, "lam": 0.5, "U": 2.0, "R": 1.0},
    "symmetric_copies": {"N": 3},
    "threshold_bits": {"d": 3},
    "threshold_class": {"m": 3},
    "threshold_complexity": {"m": 5},
    "threshold_suprema": {"x": [1.0, 2.0, 3.0], "sigma": SIGNS},
    "total_variation": {"P": [0.5, 0.5], "Q": [0.3, 0.7]},
    "tree_bits": {"M": 2, "d": 5},
    "tree_deviation": {"m": 10, "M": 2, "d": 5, "delta": 0.1},
    "tree_excess": {"m": 10, "M": 2, "d": 5, "delta": 0.1},
    "tree_excess_nodes": {"m": 10, "N": 5, "d": 5, "delta": 0.1},
    "tree_kraft_sum": {"d": 5},
    "tree_sample_size": {"M": 2, "d": 5, "epsilon": 0.1, "delta": 0.1},
    "tree_values": {"tree": (0, -1, 1), "X": [[0, 1], [1, 1]]},
    "two_layer_complexity": {"m": 10, "B": 1.0, "R": 1.0},
    "two_layer_deviation": {"m": 10, "delta": 0.1, "rho": 0.5, "B": 1.0, "R": 1.0},
    "two_layer_probability": {"m": 10, "epsilon": 0.1, "rho": 0.5, "B": 1.0, "R": 1.0},
    "two_layer_sample_size": {"epsilon": 0.1, "delta": 0.1, "rho": 0.5, "B": 1.0, "R": 1.0},
    "uniform_deviation": {"m": 10, "n_hypotheses": 5, "delta": 0.1},
    "uniform_probability": {"m": 10, "n_hypotheses": 5, "epsilon": 0.1},
    "uniform_sample_size": {"n_hypotheses": 5, "epsilon": 0.1, "delta": 0.1},
    "unique_fraction": {"m": 10},
    "variance_of_mean": {"n": 5, "c": 0.1, "sigma": 1.0},
    "vc_complexity": {"m": 5, "V": 2},
    "vc_deviation": {"m": 5, "V": 2, "delta": 0.1},
    "vc_dimension": {"values": CLASS},
    "vc_probability": {"m": 5, "V": 2, "epsilon": 0.1},
    "vc_sample_size": {"V": 2, "epsilon": 0.1, "delta": 0.1},
    "wald_coverage_limit": {"n": 10, "p": 0.1},
    "walk_distance": {"T": 10},
    "weights_distance": {"gap": 0.1},
}
NEVER = [
    np.nan,
    np.inf,
    -np.inf,
    "abc",
    "0.5",
    ["a", "b"],
    1j,
    object(),
    {},
    [[1], [1, 2]],
    10**400,
    [np.nan, 1.0],
    np.full((3, 3), np.nan),
    np.full((3, 3), np.inf),
    np.array(["2020-01-01"], dtype="M8[D]"),
]
PERHAPS = [
    0,
    -1,
    1,
    2,
    0.5,
    2.5,
    -0.1,
    1e308,
    1e-320,
    True,
    [],
    np.zeros((0, 3)),
    np.zeros((3, 0)),
    np.array(3),
    np.array(0.5),
    np.array([3, 4], dtype=np.int8),
    np.array([3, 200], dtype=np.uint8),
    np.full((2, 2), 0.5),
    np.ones((2, 2), dtype=int),
    np.full((2, 1, 1), 0.5),
    np.full((2, 2, 2), 3),
    np.full((2, 1), 3),
    np.array([True, False]),
    [0.1, 0.2, 0.3],
    [1, 2, 3],
    np.zeros((2, 2)),
    None,
]
CLEAR = re.compile("holds for|must|could not be broadcast|needs|at most|more than|single|too slowly|linear programme")
every_argument = pytest.mark.parametrize(
    "name, argument", [(name, argument) for name in SENSIBLE for argument in SENSIBLE[name]]
)


def call(name, **changed):
    return getattr(theory, name)(**SENSIBLE[name] | changed)


def test_every_promise_of_the_part_is_tried():
    rest = {"online", "optimisation", "registry"}
    public = {
        name
        for name in theory.__all__
        if callable(getattr(theory, name)) and getattr(theory, name).__module__.split(".")[-1] not in rest
    }
    assert public == set(SENSIBLE)


@pytest.mark.filterwarnings("error")
@every_argument
def test_what_is_no_finite_number_is_refused(name, argument):
    for nonsense in NEVER:
        if argument in ("words", "lengths") and isinstance(nonsense, (dict, list)):
            continue  # an empty collection is allowed, and words may be any strings
        with pytest.raises(ValueError, match=CLEAR):
            call(name, **{argument: nonsense})


@pytest.mark.filterwarnings("error")
@every_argument
def test_a_strange_number_is_refused_or_answered(name, argument):
    for strange in PERHAPS:
        try:
            answer = call(name, **{argument: strange})
        except ValueError as error:
            assert CLEAR.search(str(error)), error  # noqa: PT017
            continue
        parts = answer if isinstance(answer, tuple) else (answer,)
        if name not in ("boolean_trees", "decode_tree", "kraft_code", "shattered_sets"):
            assert not any(np.isnan(np.asarray(part, dtype=float)).any() for part in parts), (strange, answer)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", [name for name in SENSIBLE if "delta" in SENSIBLE[name]])
@pytest.mark.parametrize("delta", [0, -0.1, 2, 1 + 1e-9, [0.1, 0], [[0.5], [1.5]]])
def test_a_failure_probability_lies_above_zero_and_is_at_most_one(name, delta):
    with pytest.raises(ValueError, match="0 < delta <= 1"):
        call(name, delta=delta)


@pytest.mark.filterwarnings("error")
def test_without_weights_at_the_output_there_is_no_gradient_however_deep_the_network():
    assert np.array_equal(call("relu_gradient", L=5000, gain=[8.0, 2.0, 0.0], gain_out=0), np.zeros(3))


@pytest.mark.parametrize("R", [-1e-9, -1.0, [1.0, -1.0]])
def test_the_length_of_points_is_not_negative(R):
    with pytest.raises(ValueError, match="R >= 0"):
        call("two_layer_complexity", R=R)


SINGLE = (
    "all_signs",
    "boolean_trees",
    "catalan",
    "count_trees",
    "cover_labellings",
    "independent_events",
    "interval_class",
    "maximum_errors",
    "sauer",
    "symmetric_copies",
    "threshold_class",
    "vc_sample_size",
)  # take one number, no arrays
NUMBERS = [
    name
    for name, arguments in SENSIBLE.items()
    if all(isinstance(value, (int, float)) for value in arguments.values()) and name not in SINGLE
]


@pytest.mark.parametrize("name", NUMBERS)
def test_arguments_of_different_shapes_are_broadcast(name):
    arguments = SENSIBLE[name]
    shapes = [(2, 1, 1, 1, 1), (3, 1, 1, 1), (2, 1, 1), (3, 1), (2,)]
    full = {key: np.full(shape, value) for (key, value), shape in zip(arguments.items(), shapes, strict=False)}
    one, many = call(name), call(name, **full)
    expected = np.broadcast_shapes(*(value.shape for value in full.values()))
    for single, answers in zip(np.atleast_1d(one), many if isinstance(many, tuple) else [many], strict=True):
        assert np.shape(answers) == expected
        np.testing.assert_allclose(answers, single)
