"""Every bar in one place: what is timed, against whom, and what it must reach. Every one has a row on the page.

A bar is a ratio of CPU times, ours over theirs, unless it has a unit. ``if_missed`` says why, should it be missed.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """One promise; ``limit`` None means that the number is shown and nothing is promised."""

    key: str
    task: str
    limit: float | None
    against: str = "scikit-learn"
    unit: str = ""
    at_least: bool = False
    if_missed: str = ""

    def met(self, value: float) -> bool:
        """Is the measured value good enough?"""
        return self.limit is None or (value >= self.limit if self.at_least else value <= self.limit)


@dataclass(frozen=True)
class Part:
    """Bars that belong together, and the chapters they belong to."""

    title: str
    chapters: tuple[str, ...]
    bars: tuple[Bar, ...]


NOISY = "between two mistakes there is little to scan, and a step of Python costs more than a whole example does in C"
BORDER = "at the border: the time is nearly all in products that both sides make"

PARTS = (
    Part(
        "Linear prediction",
        ("perceptron", "linear-regression", "logistic-regression", "gaussian-discriminant"),
        (
            Bar("perceptron-0", "perceptron, 10⁶ presentations, m = 10⁴, d = 30, separable", 1.0),
            Bar("perceptron-1", "the same, 1 % of the labels flipped", 8.0, if_missed=NOISY),
            Bar("perceptron-10", "the same, 10 % of the labels flipped", 15.0, if_missed=NOISY),
            Bar("logistic-1", "logistic regression, m = 10⁵, d = 50, condition 1", 0.8, "`lbfgs`", if_missed=BORDER),
            Bar("logistic-1000", "the same, condition 10³", 0.6, "`lbfgs`"),
            Bar("least-squares", "least squares, m = 10⁵, d = 50", 0.5),
            Bar("ridge", "ridge regression, m = 10⁵, d = 50", 0.7, if_missed=BORDER),
            Bar("leave-one-out", "leave-one-out errors of 20 ridge fits, m = 2·10⁴, d = 50", 0.2, "`RidgeCV`"),
            Bar("qda", "quadratic discriminant, fit and predict, m = 10⁵, d = 20", 0.5),
            Bar("lda", "linear discriminant, fit and predict, m = 10⁵, d = 20", 0.3),
        ),
    ),
    Part(
        "Choosing a model",
        ("cross-validation",),
        (
            Bar("ridge-folds-4", "ridge, 10 folds × 20 penalties, m = 10⁴, d = 50", 0.05, "refits"),
            Bar("ridge-folds-5", "the same, m = 10⁵", 0.05, "refits"),
            Bar("neighbors-folds-2", "nearest neighbours, 10 folds × k = 1 … 50, m = 5000, d = 2", 0.05, "refits"),
            Bar("neighbors-folds-10", "the same, m = 2000, d = 10", 0.05, "refits"),
        ),
    ),
    Part(
        "Local rules",
        ("nearest-neighbors", "trees"),
        (
            *(
                Bar(f"nearest-{d}-{k}", f"{k} nearest of 2·10⁴ for 10⁴ points, d = {d}", 1.0, "its fastest method")
                for d in (2, 5, 10, 50)
                for k in (5, 10)
            ),
            *(
                Bar(f"tree-{depth}-{e}", f"tree, two classes, {name}, m = {m}, d = 20", 1.0)
                for e, m in ((4, "10⁴"), (5, "10⁵"))
                for depth, name in ((5, "depth 5"), ("full", "full"))
            ),
            *(
                Bar(f"regression-tree-{depth}-{e}", f"regression tree, {name}, m = {m}, d = 20", 1.8)
                for e, m in ((4, "10⁴"), (5, "10⁵"))
                for depth, name in ((5, "depth 5"), ("full", "full"))
            ),
            *(
                Bar(f"tied-tree-{depth}", f"tree, ten classes, 64 features with values 0 to 16, {name}, m = 10⁴", 2.0)
                for depth, name in ((5, "depth 5"), ("full", "full"))
            ),
        ),
    ),
    Part(
        "Kernels and margins",
        ("kernels", "svm"),
        (
            Bar("gram-gaussian", "Gram matrix, Gaussian kernel, m = 3000, d = 20", 1.0),
            Bar("gram-polynomial", "Gram matrix, polynomial kernel, m = 3000, d = 20", 0.2),
            *(Bar(f"kernel-ridge-{m}", f"kernel ridge regression, m = {m}, d = 20", 0.7) for m in (1000, 2000, 5000)),
            Bar("kernel-loo", "its leave-one-out errors for 10 penalties, m = 200", 0.05, "refits"),
            Bar("kernel-perceptron", "kernel perceptron, degree 3, m = 2000, d = 20", 0.8, "our own on the features"),
            *(
                Bar(f"svm-{m}-{C}", f"support vector machine, Gaussian kernel, m = {m}, C = {C}", limit, "`SVC`")
                for m in (2000, 5000)
                for C, limit in ((1, 1.3), (100, 2.6))
            ),
            Bar("svm-memory", "the same, m = 20 000, C = 1, Gram cache of 1 GB: memory in all", 2.0, "", "GB"),
            Bar("pegasos-3", "Pegasos, m = 10⁵, d = 30, 3 passes", 1.0, "`SGDClassifier`"),
            Bar("pegasos-3-gap", "its objective above that of `LinearSVC`", 1.0, "", "%"),
            Bar("pegasos-8", "Pegasos, 8 passes", 1.0, "`SGDClassifier`"),
            Bar("pegasos-8-gap", "its objective above that of `LinearSVC`", 1.0, "", "%"),
        ),
    ),
    Part(
        "Ensembles",
        ("bagging-and-forests", "boosting"),
        (
            Bar("adaboost", "AdaBoost, stumps, m = 10⁴, d = 30, 100 rounds", 0.15),
            Bar("adaboost-predict", "the same, predict", 0.3),
            Bar("forest", "random forest, 100 trees, m = 10⁴, d = 20", 1.6),
            Bar("forest-predict", "the same, predict", 4.0),
            Bar(
                "forest-workers", "the same, two workers: times faster than one, by the clock", 1.7, "", "×", True,
                "the clock counts whatever else the machine does at the time",
            ),
            Bar("regression-forest", "regression forest, 20 trees, m = 10⁴, d = 20", 2.5),
            Bar("bagging", "bagging, 10 full trees, m = 10⁴, d = 20", 1.2),
        ),
    ),
    Part(
        "Neural networks",
        ("neural-networks", "deep-learning"),
        (
            Bar("mlp-32", "perceptron with 64 hidden units, digits, 50 passes, Adam, batches of 32", 0.6),
            Bar("mlp-200", "the same, batches of 200", 0.6),
            Bar("cnn", "convolutional network, digits: seconds to 98 % test accuracy or more", 60.0, "", "s"),
        ),
    ),
    Part(
        "Measuring a class",
        ("consistency",),
        (
            Bar(
                "rademacher-linear", "Rademacher complexity, linear class, m = 10⁴, d = 50, 10³ draws", 0.3,
                "a loop, one product a draw",
                if_missed="the product alone would meet the bar, but ten million signs have to be drawn, stored and "
                "checked as well",
            ),
            Bar("rademacher-textbook", "the same", None, "a loop, the sum as textbooks print it"),
            Bar("rademacher-stumps", "the same, stumps, m = 1000, d = 10, 10³ draws", 0.7, "a loop over draws"),
            Bar("rademacher-trees", "the same", None, "scikit-learn's stump fitted to each draw"),
            Bar("rademacher-thresholds", "the same, thresholds on the line, m = 10⁴", 0.7, "a loop, sorting each time"),
        ),
    ),
)  # fmt: skip
FROM_SCRATCH = Part(
    "Against another from-scratch package",
    (),
    tuple(
        Bar(f"mlxtend-{key}", task, None, "mlxtend")
        for key, task in (
            ("perceptron", "perceptron, m = 2000, d = 20, separable, 20 passes"),
            ("adaline", "Adaline, m = 2000, d = 20, 10 passes, one example a step"),
            ("least-squares", "least squares, m = 10⁵, d = 50"),
            ("logistic", "logistic regression, m = 10⁴, d = 20"),
            ("mlp", "perceptron with 64 sigmoid units, digits, 50 passes, batches of 32"),
        )
    ),
)
BARS = {bar.key: bar for part in (*PARTS, FROM_SCRATCH) for bar in part.bars}
