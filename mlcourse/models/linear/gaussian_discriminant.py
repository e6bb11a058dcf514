"""Gaussian discriminant analysis: one Gaussian per class, compared by Bayes' rule.

Letters
    X, y       sample: m points of R^d, labels in 0..k-1 (k classes), m_c of them equal to c
    pi, mu     probability and mean of a class
    Sigma      covariance matrix, Sigma = L L^T with L lower triangular
"""

from typing import Annotated

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from scipy.special import softmax

from mlcourse.arguments.arrays import check_square
from mlcourse.arguments.errors import SingularCovarianceWarning, warn_user
from mlcourse.arguments.kinds import Kind, Points, Vector, checks_arguments
from mlcourse.arguments.numbers import check_flag, check_in_range
from mlcourse.base import ProbabilisticClassifier, last_argmax
from mlcourse.optim.moments import centred, second_moments

FLOOR = 1e-10  # the smallest squared multiple correlation that is told from rounding


def check_factor(name: str, value: np.ndarray) -> np.ndarray:
    """``value`` as a square matrix with a positive diagonal."""
    factor = check_square(name, value)
    if not (np.diag(factor) > 0).all():
        raise ValueError(f"{name} must have a positive diagonal, got {np.diag(factor).tolist()}")
    return factor


Factor = Annotated[np.ndarray, Kind(check_factor, ("d", "d"))]


@checks_arguments
def gaussian_log_density(X: Points, mu: Vector, L: Factor) -> np.ndarray:
    """ln N(x; mu, L L^T) for every row of X."""
    T = solve_triangular(L, np.eye(len(L)), lower=True)
    white = (X - mu) @ T.T
    squares = np.einsum("ij,ij->i", white, white)
    return -0.5 * (squares + len(L) * np.log(2 * np.pi)) - np.log(np.diag(L)).sum()


def cholesky_or_floor(Sigma: np.ndarray) -> tuple[np.ndarray, bool]:
    """The factor L of Sigma = L L^T, and whether Sigma was singular and had to be lifted by FLOOR of its diagonal."""
    sd = np.sqrt(np.diag(Sigma))
    sd[sd == 0] = sd[sd > 0].min(initial=1.0)  # a constant feature gets the smallest scale there is
    correlation = Sigma / sd / sd[:, None]
    try:
        L = cholesky(correlation, lower=True)
        singular = np.diag(L).min() ** 2 < FLOOR
    except LinAlgError:
        singular = True
    if singular:
        L = cholesky(correlation + FLOOR * np.eye(len(sd)), lower=True)
    return sd[:, None] * L, singular


class GaussianDiscriminant(ProbabilisticClassifier):
    """The plug-in rule of Gaussian classes: argmax over c of ln pi_c + ln N(x; mu_c, Sigma_c), fitted by likelihood.

    Parameters: ``shared_covariance`` makes all classes share one Sigma, and the boundaries hyperplanes (LDA);
    otherwise they are quadrics (QDA). ``shrinkage`` s replaces Sigma by (1-s) Sigma + s (trace Sigma / d) I.
    A singular Sigma, whose likelihood is unbounded, is lifted by 1e-10 times its diagonal, with a warning.

    Learned: ``prior_`` (k,), ``mean_`` (k, d), ``covariance_`` (k, d, d), or (d, d) if shared, ``singular_``;
    and, if shared, ``w_`` (k, d), ``b_`` (k,): the class is argmax_c w_c.x + b_c.

    Guarantee: thm-gda-mle, thm-lda-logistic. Book: gaussian-discriminant.
    Source: Kondor, Amini (joint likelihood, estimated means, singular case).
    """

    _valid = {"shared_covariance": check_flag, "shrinkage": lambda name, value: check_in_range(name, value, 0, 1)}

    def __init__(self, shared_covariance=False, shrinkage=0.0):
        self.shared_covariance, self.shrinkage = shared_covariance, shrinkage

    def _fit(self, X, y):
        groups = [centred(X[y == c]) for c in range(len(self.classes_))]
        self.prior_ = np.bincount(y) / len(y)
        self.mean_ = np.array([mean for mean, _ in groups])
        Sigma = np.array([second_moments(points) / len(points) for _, points in groups])
        if self.shared_covariance:
            Sigma = np.tensordot(self.prior_, Sigma, axes=1)
        self.covariance_ = self._shrunk(Sigma)
        self._factorise()

    def _shrunk(self, Sigma):
        d, share = Sigma.shape[-1], float(self.shrinkage)
        scale = np.trace(Sigma, axis1=-2, axis2=-1)[..., None, None] / d
        return (1 - share) * Sigma + share * scale * np.eye(d)

    def _factorise(self):
        d = self.n_features_in_
        factors, singular = zip(*map(cholesky_or_floor, self.covariance_.reshape(-1, d, d)), strict=True)
        self.factor_, self.singular_ = np.array(factors), any(singular)
        if self.singular_:
            message = "the points of a class lie in a hyperplane: the likelihood is unbounded; use shrinkage > 0"
            warn_user(message, SingularCovarianceWarning)
        if self.shared_covariance:
            middle = self.prior_ @ self.mean_
            half = solve_triangular(self.factor_[0], (self.mean_ - middle).T, lower=True)  # (d, k)
            self.w_ = solve_triangular(self.factor_[0].T, half).T
            self.b_ = np.log(self.prior_) - (half**2).sum(axis=0) / 2 - self.w_ @ middle

    def _log_joint(self, X):
        """ln pi_c + ln N(x; mu_c, Sigma_c) for every row and class, up to a term that does not depend on c."""
        if self.shared_covariance:
            return X @ self.w_.T + self.b_
        parts = zip(self.prior_, self.mean_, self.factor_, strict=True)
        return np.column_stack([np.log(pi) + gaussian_log_density(X, mu, L) for pi, mu, L in parts])

    def _proba(self, X):
        return softmax(self._log_joint(X), axis=1)

    def _predict(self, X):
        return last_argmax(self._log_joint(X))
