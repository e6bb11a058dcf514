"""Model solutions of the homework on comparing classifiers."""

import numpy as np

from mlcourse_homework.engine.question import solves


@solves("q1")
def split(m, rng):
    r"""A permutation of the indices makes every split equally likely, and cutting it makes the parts disjoint. All
    randomness comes from the generator: whoever has the seed has the split, and the next call gives another. The sizes
    are 341 and 228 for WDBC, 210 and 141 for Ionosphere, 4874 and 3250 for Mushroom.
    """
    order = rng.permutation(m)
    return order[: 3 * m // 5], order[3 * m // 5 :]


@solves("q2")
def encode(train, table):
    r"""A column of $n$ letters, as an $(n,1)$ array, compared with the $k$ levels of its attribute gives the $(n,k)$
    block. Each row of it holds a single 1, or none if its letter was never seen in training. The levels come from
    `train`, so that both parts get the same columns, and so that nothing is known about the test part. On all 8124
    mushrooms there are 116 columns; in a training part a rare level may be missing. Giving '?' a column of its own is
    a decision: that somebody did not write down the root of a mushroom may tell something about it.
    """
    blocks = [np.empty((len(table), 0))]  # if no attribute varies, there are no columns
    for j in range(train.shape[1]):
        levels = np.unique(train[:, j])
        if len(levels) > 1:
            blocks.append(table[:, [j]] == levels)
    return np.hstack(blocks)


@solves("q3")
def standardise(train, table):
    r"""Mean and spread are learned, so they are learned from the training part. In the units of the training part a
    test row may lie anywhere; that is information, and standardising the test part by itself would destroy it. A
    constant column cannot be scaled. Its standard deviation should be zero, but need not come out as zero: the mean of
    three times 0.1 is not 0.1 in floating point. Dividing one rounding error by another gives $\pm1$ in training, and
    something like $10^{16}$ for the first test row that differs.
    """
    constant = (train == train[0]).all(axis=0)
    scale = np.where(constant, 1.0, train.std(axis=0))
    return (table - train.mean(axis=0)) / scale


@solves("q4")
def steps(m, d):
    r"""**One example.** A step multiplies the error on its example by $1-\tau\|\tilde x\|^2$
    ({prf:ref}`prop-widrow-hoff`), so it shrinks if and only if $\tau<2/\|\tilde x\|^2$. How long can a row be? Let
    $z_1,\dots,z_m$ be a standardised column that is not constant: $\sum_iz_i=0$ and $\sum_iz_i^2=m$. By Cauchy and
    Schwarz

    $$
    z_1^2=(z_2+\dots+z_m)^2\le(m-1)(z_2^2+\dots+z_m^2)=(m-1)(m-z_1^2),
    $$

    so $mz_1^2\le m(m-1)$, that is $z_1^2\le m-1$, and the same for every row. A constant column is zero. Hence
    $\|\tilde x_i\|^2\le d(m-1)+1$. A column that is 1 in the first row and 0 in the others has mean $\frac1m$ and
    variance $\frac{m-1}{m^2}$, so $z_1=\sqrt{m-1}$: the bound is attained if all columns are like that.

    **All examples.** Let $H=\frac1m\tilde X^\top\tilde X$. If $v$ is the difference of the weights from a least-squares
    solution, the update is $v\mapsto(I-\tau H)v$. Parts of $v$ with $Hv=0$ stay, the others vanish from every start if
    and only if $|1-\tau\lambda|<1$ for each eigenvalue $\lambda>0$, that is $\tau<2/\lambda_{\max}$. The columns are
    centred, so the constant feature is orthogonal to them: the eigenvalues of $H$ are 1 and those of the matrix $C$ of
    the correlations, which are not negative and have the sum $\operatorname{tr}C\le d$. So
    $\lambda_{\max}\le\max(d,1)=d$, and if all columns are equal, as in the sample above, $C$ has the eigenvalue $d$.
    """
    return 2 / (d * (m - 1) + 1), 2 / d


@solves("q5")
def boosted(X, y, learn, T, rng):
    r"""A rule without a mistake would get the vote $\frac12\ln\frac10=\infty$, and new weights $\frac00$. An infinite
    vote outweighs all others, so the rule is returned alone. A rule with $\varepsilon_t\ge\frac12$ would get a vote
    that is zero or negative. A deterministic learner would return it again and again, but here the rows were drawn, and
    the next draw may be luckier. Note where $\varepsilon_t$ is measured: with $D_t$ on the whole sample. On the drawn
    rows the rule was trained, and its error there is too small. The new weights are those of AdaBoost, since
    $e^{\alpha_t}/Z_t=\frac1{2\varepsilon_t}$ and $e^{-\alpha_t}/Z_t=\frac1{2(1-\varepsilon_t)}$: half of the weight
    goes to the mistakes.
    """
    m, D, rules, alpha = len(y), np.full(len(y), 1 / len(y)), [], []
    for _ in range(T):
        rows = rng.choice(m, m, p=D)
        h = learn(X[rows], y[rows])
        wrong = h(X) != y
        epsilon = D[wrong].sum()
        if not wrong.any():
            return [h], [1.0]
        if epsilon < 1 / 2:
            rules, alpha = [*rules, h], [*alpha, np.log(1 / epsilon - 1) / 2]
            D = np.where(wrong, D / (2 * epsilon), D / (2 * (1 - epsilon)))
    return rules, alpha


@solves("q6")
class Majority:
    r"""`np.unique` sorts out the labels and counts them, whatever they are; the sign of a sum would need $\pm1$. The
    points are not looked at, and that is the purpose: what this rule achieves is what the labels alone are worth.
    """

    def fit(self, X, y):
        """Count the labels."""
        labels, counts = np.unique(y, return_counts=True)
        self.label = labels[counts.argmax()]
        return self

    def predict(self, X):
        """The same label for every row."""
        return np.full(len(X), self.label)


@solves("q7")
def accuracies(models, X, y, n_splits, rng):
    r"""The split is drawn in the outer loop, so all models meet the same one: then an unlucky test part is unlucky for
    all of them, and cancels in the differences. Both parts are put in the units of the training part. `fit` starts
    anew each time.
    """
    A = np.empty((n_splits, len(models)))
    for k in range(n_splits):
        train, test = split(len(y), rng)
        X_train, X_test = standardise(X[train], X[train]), standardise(X[train], X[test])
        for j, model in enumerate(models):
            model.fit(X_train, y[train])
            A[k, j] = np.mean(model.predict(X_test) == y[test])
    return A


@solves("q8")
def paired(a, b, c):
    r"""Let the $d_k$ have mean $\mu$, variance $\sigma^2$ and correlation $c$. Of the $K^2$ covariances $K$ are
    $\sigma^2$, the others $c\sigma^2$, so

    $$
    \operatorname{Var}\bar d=\frac{K\sigma^2+K(K-1)c\,\sigma^2}{K^2}=\sigma^2\Big(\frac{1-c}K+c\Big) .
    $$

    From $\sum_k(d_k-\bar d)^2=\sum_k(d_k-\mu)^2-K(\bar d-\mu)^2$ we get
    $(K-1)\,\mathbb{E}s^2=K\sigma^2-K\operatorname{Var}\bar d=(K-1)(1-c)\sigma^2$, so $\mathbb{E}s^2=(1-c)\sigma^2$: the
    splits resemble each other, and their spread shows too little. The quotient of the two is $\frac1K+\frac c{1-c}$,
    and $s^2$ times this number has the expectation $\operatorname{Var}\bar d$.

    **Why $c=n/m$?** Take two rules that do not learn. Example $i$ contributes a number $Z_i\in\{-1,0,1\}$, and $d_k$ is
    the mean of the $Z_i$ over the test part of split $k$. The $Z_i$ are independent, of one variance $v$, so
    $\operatorname{Var}d_k=\frac vn$. A row is in two given test parts with probability $\frac{n^2}{m^2}$, so they have
    $\frac{n^2}m$ rows in common on average, and their $d_k$ have the covariance
    $\frac v{n^2}\cdot\frac{n^2}m=\frac vm$. So $c=\frac vm/\frac vn=\frac nm$ and $\frac c{1-c}=\frac n{m-n}$. As $K$
    grows, $\bar d$ becomes the mean over all $m$ examples, whose variance is $\frac vm$ and not zero. For rules that
    learn, $\frac nm$ is a proposal and not a theorem.
    """
    K, difference = len(a), a - b
    variance = difference.var(ddof=1) * (1 / K + c / (1 - c))
    return difference.mean(), np.sqrt(variance)


@solves("q9")
def visible(n, N, delta):
    r"""Fix a pair of rules, learned before the test set was opened. On test example $i$ let $Z_i$ be the zero-one loss
    of the first rule minus that of the second, a number in $[-1,1]$. The $Z_i$ are independent, and their mean is the
    difference of the two test errors. By {prf:ref}`thm-hoeffding`, for an interval of length 2, it strays from its
    expectation, the difference of the two risks, by more than $\epsilon$ with probability at most
    $2e^{-2n\epsilon^2/2^2}=2e^{-n\epsilon^2/2}$. By the union bound ({prf:ref}`lem-union`) one of $N$ pairs strays with
    probability at most $2Ne^{-n\epsilon^2/2}$. This is $\delta$ for

    $$
    \epsilon=\sqrt{\frac2n\ln\frac{2N}\delta} .
    $$

    One interval for each of the two errors, at half the $\delta$, would let their difference stray by
    $2\sqrt{\frac1{2n}\ln\frac{4N}\delta}=\sqrt{\frac2n\ln\frac{4N}\delta}$, which is more. An observed difference above
    $\epsilon$ shows which rule is better. A smaller one does not, by this inequality.
    """
    return np.sqrt(2 * np.log(2 * N / delta) / n)
