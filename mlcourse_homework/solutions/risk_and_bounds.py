"""Model solutions of the homework on risk and bounds."""

import itertools
import math

import numpy as np
from scipy.stats import binom, norm

from mlcourse_homework.engine.question import solves


@solves("q1")
def excess(q, eta, eta_hat, c_fp, c_fn):
    r"""Fix a point. Saying $+1$ costs $c_{\text{fp}}(1-\eta)$ on average, saying $-1$ costs $c_{\text{fn}}\,\eta$, and

    $$
    c_{\text{fn}}\,\eta-c_{\text{fp}}(1-\eta)=(c_{\text{fp}}+c_{\text{fn}})(\eta-t),\qquad
    t=\frac{c_{\text{fp}}}{c_{\text{fp}}+c_{\text{fn}}} .
    $$

    So $+1$ is no dearer than $-1$ if and only if $\eta\ge t$, which gives the rule $f^*$. Where $h=f^*$ the costs
    agree; where $h\ne f^*$ they differ by $(c_{\text{fp}}+c_{\text{fn}})|\eta-t|$, in favour of $f^*$. Take the mean
    over the points:

    $$
    \ell_{\mathcal{D}}(h)-\ell_{\mathcal{D}}(f^*)=(c_{\text{fp}}+c_{\text{fn}})\;
    \mathbb{E}\,|\eta(X)-t|\,\mathbf{1}\{h(X)\ne f^*(X)\} .
    $$

    If $h$ says $+1$ where $\hat\eta\ge t$, then $h\ne f^*$ means that $t$ lies between $\eta$ and $\hat\eta$, and
    there $|\eta-t|\le|\hat\eta-\eta|$. So the excess is at most
    $(c_{\text{fp}}+c_{\text{fn}})\,\mathbb{E}|\hat\eta-\eta|$, with equality if $\hat\eta=t>\eta$ everywhere. Costs of
    one give {prf:ref}`thm-excess-risk` and {prf:ref}`cor-plug-in`, since then $2|\eta-\frac12|=|2\eta-1|$.
    """
    t = c_fp / (c_fp + c_fn)
    differ = (eta_hat >= t) != (eta >= t)
    return (c_fp + c_fn) * (q @ (np.abs(eta - t) * differ))


@solves("q2")
def gaussian_pair(mu, c_fp, c_fn):
    r"""The priors are equal, so by Bayes' rule

    $$
    \frac{\eta(x)}{1-\eta(x)}=\frac{e^{-(x-\mu)^2/2}}{e^{-(x+\mu)^2/2}}=e^{2\mu x} .
    $$

    By question 1 the Bayes predictor says $+1$ where $c_{\text{fn}}\,\eta\ge c_{\text{fp}}(1-\eta)$, that is where
    $e^{2\mu x}\ge c_{\text{fp}}/c_{\text{fn}}$, that is for
    $x\ge\theta=\frac1{2\mu}\ln\frac{c_{\text{fp}}}{c_{\text{fn}}}$.

    Given $Y=-1$, $X+\mu$ is standard normal, and $X\ge\theta$ has probability $\Phi(-\theta-\mu)$. Given $Y=+1$,
    $X-\mu$ is standard normal, and $X<\theta$ has probability $\Phi(\theta-\mu)$. Each label has probability
    $\frac12$:

    $$
    \ell_{\mathcal{D}}(f^*)=\tfrac12c_{\text{fp}}\,\Phi(-\theta-\mu)+\tfrac12c_{\text{fn}}\,\Phi(\theta-\mu) .
    $$

    With costs of one, $\theta=0$ and the risk is $\Phi(-\mu)$. If one cost is much larger than the other, $\theta$ is
    far out and the risk is nearly half of the *smaller* cost: the best rule almost never makes the dear error.
    """
    theta = np.log(c_fp / c_fn) / (2 * mu)
    risk = (c_fp * norm.cdf(-theta - mu) + c_fn * norm.cdf(theta - mu)) / 2
    return theta, risk


@solves("q3")
def best_threshold(x, y):
    r"""For labels $\pm1$ the number of errors is $\frac12(m-a)$, where $a=\sum_iy_ih(x_i)$ is the agreement. With $T$
    the sum of all labels and $B$ the sum of those at or below $\theta$, the rule with $s=1$ has $a=(T-B)-B=T-2B$, and
    the rule with $s=-1$ has $-a$. So the best rule has the largest $|T-2B|$, and $s$ is the sign of $T-2B$ (if it
    is $0$, either sign).

    On the sample a rule is given by the set of points above $\theta$. These sets are: all points ($\theta=-\infty$,
    $B=0$), and the points above $x_{(i)}$ for each place $i$ of the sorted sample whose next point is larger. (No
    point above $\theta$ is the first case with the other sign.) At a place between equal points there is no cut; its
    cumulative sum is not the $B$ of any rule, so it is put to $0$, which beats no rule (and if it is the largest,
    every rule errs on half of the sample). All $B$ are one cumulative sum, so sorting is the dearest step:
    $O(m\log m)$ instead of the $O(m^2)$ of trying every rule.
    """
    order = np.argsort(x)
    x, below = x[order], np.cumsum(y[order])
    agreement = below[-1] - 2 * below  # of the rule with s = 1 that cuts after each place
    agreement[-1] = below[-1]  # instead of a cut after the last place, one below everything
    agreement[:-1][x[:-1] == x[1:]] = 0  # no cut between equal points
    i = np.abs(agreement).argmax()
    theta = x[i] if i < len(x) - 1 else -np.inf
    return theta, 1 if agreement[i] >= 0 else -1


@solves("q4")
def test_set(epsilon, delta, p):
    r"""The losses on the test set are independent, lie in $[0,1]$ and have mean $p$. By Hoeffding's inequality for
    averages ({prf:ref}`cor-hoeffding-mean`), once for each tail,

    $$
    \mathbb{P}\bigl(|\hat\ell_{S'}(h)-p|\ge\epsilon\bigr)\le2e^{-2n\epsilon^2} .
    $$

    This is at most $\delta$ if and only if $n\ge\frac1{2\epsilon^2}\ln\frac2\delta$. For $\epsilon=\delta=0.05$ the
    right side is $737.8$, so $n=738$: a promise is rounded in the direction in which it still holds.

    The number of errors is binomial with parameters $n$ and $p$. So the probability that the promise is kept needs no
    inequality at all, it is the sum of $\binom nkp^k(1-p)^{n-k}$ over the $k$ with $|\frac kn-p|\le\epsilon$. It is
    larger than promised. For $\epsilon=\delta=0.05$ and $p=\frac12$ a miss has probability $0.7\,\%$, not $5\,\%$; for
    small $p$, where the variance $p(1-p)$ of a loss is far below the $\frac14$ that Hoeffding has in mind, a miss is
    rarer still by orders of magnitude.
    """
    n = math.ceil(math.log(2 / delta) / (2 * epsilon**2))
    k = np.arange(n + 1)
    kept = np.abs(k / n - p) <= epsilon
    return n, binom.pmf(k, n, p)[kept].sum()


@solves("q5")
def sizes(N, epsilon, delta):
    r"""*In general.* For one fixed rule, Hoeffding's inequality gives
    $\mathbb{P}(|\hat\ell_S(h)-\ell_{\mathcal{D}}(h)|\ge\epsilon)\le2e^{-2m\epsilon^2}$. The union bound adds this up
    over the class: some rule deviates by $\epsilon$ or more with probability at most $2Ne^{-2m\epsilon^2}$. This is at
    most $\delta$ if and only if $m\ge\frac1{2\epsilon^2}\ln\frac{2N}\delta$. With $N=1$ it is the size of a test set.
    Whoever works with a deviation twice as wide as necessary has to ask for $\frac\epsilon2$ in place of $\epsilon$,
    and for four times as many examples.

    *If a perfect rule exists,* ERM returns a rule without an error on the sample. A fixed rule of risk $r\ge\epsilon$
    is right on all $m$ independent examples with probability $(1-r)^m\le(1-\epsilon)^m$. Count all $N$ rules as if each
    could be bad: by the union bound some bad rule survives with probability at most $N(1-\epsilon)^m$, which is at most
    $\delta$ if and only if $m\ge\ln\frac N\delta\,/\ln\frac1{1-\epsilon}$. (One rule is perfect, so at most
    $N-1$ are bad, and $N-1$ in place of $N$ would do; it makes hardly a difference.)

    As $1-\epsilon\le e^{-\epsilon}$, the last probability is at most $Ne^{-\epsilon m}$, and
    $m\ge\frac1\epsilon\ln\frac N\delta$ is enough: the usual form ({prf:ref}`thm-realisable`), a little larger, and
    easier to remember. For one bad rule of risk exactly $\epsilon$ the probability *is* $(1-\epsilon)^m$: there nothing
    better is true.
    """
    m = math.log(2 * N / delta) / (2 * epsilon**2)
    m0 = math.log(N / delta) / -math.log1p(-epsilon)
    return math.ceil(m), math.ceil(m0)


@solves("q6")
def complexity(values):
    r"""The definition, word for word: for each of the $2^m$ sign vectors the largest agreement, then their mean. The
    order matters. For one rule the mean is $\frac1m\sum_ih(x_i)\,\mathbb{E}\sigma_i=0$; the maximum may follow the
    coins, a fixed rule cannot. All $2^m$ rules with values $\pm1$ reach the agreement $m$ for every $\sigma$, hence
    the value $1$. Multiplying all values by $c$ multiplies the complexity by $|c|$, because $-\sigma$ has the law of
    $\sigma$.

    For rules with values $\pm1$ there is another way to read it. If $\sigma$ are taken as labels, the agreement of $h$
    is $m-2\cdot$(number of errors), so the complexity is $1-2\,\mathbb{E}_\sigma\hat\ell_\sigma$, where
    $\hat\ell_\sigma$ is the training error of ERM on labels that are coin flips. A class that can fit noise is a class
    that can overfit.
    """
    m = values.shape[1]
    sigma = np.array(list(itertools.product((-1, 1), repeat=m)))
    return (sigma @ values.T).max(axis=1).mean() / m


@solves("q7")
def threshold_complexity(x):
    r"""Number the points in increasing order and let $s_k=\sigma_1+\dots+\sigma_k$. The rule that is $-1$ on the $k$
    lowest points agrees with the signs to the extent $(s_m-s_k)-s_k$. As $\mathbb{E}s_m=0$,

    $$
    \hat{\mathfrak{R}}_S=\frac1m\,\mathbb{E}\max_k(s_m-2s_k)=\frac2m\,\mathbb{E}\bigl(-\min_ks_k\bigr),
    $$

    where $k$ runs over $0$, $m$ and the places between two different points: the ends of the groups of equal points.

    The sums are a random walk. Let $d$ be its height above the lowest place so far, at the end of a group; at the
    start $d=0$. A group of $g$ points moves $d$ to $d+2B-g$, with $B$ binomial. If this is negative, the minimum falls
    by $g-2B-d$ and the new height is $0$; otherwise the minimum stays. So the law of $d$, at most $m+1$ numbers,
    determines the law of the next $d$ and the mean fall, and $\mathbb{E}(-\min)$ is the sum of the mean falls. There
    are $O(m^2)$ steps in place of $2^m$. For distinct points {prf:ref}`prop-rademacher-thresholds` has a closed form;
    equal points make the class smaller, down to $\mathbb{E}|s_m|/m$ when all are equal.
    """
    law, fall = np.ones(1), 0.0  # law[d] is the probability of the height d
    for g in np.unique(x, return_counts=True)[1]:
        following = np.zeros(len(law) + g)
        for heads, chance in enumerate(binom.pmf(np.arange(g + 1), g, 0.5)):
            d = np.arange(len(law)) + 2 * heads - g
            fall += chance * (law @ np.maximum(-d, 0))
            np.add.at(following, np.maximum(d, 0), chance * law)
        law = following
    return 2 * fall / len(x)


@solves("q8")
def vc(values):
    r"""A set of columns is shattered if the rows, restricted to it, show all $2^k$ labellings. Every subset of a
    shattered set is shattered, so the largest $k$ for which some set of $k$ columns is shattered is found by trying.

    *Sauer's bound.* A set $A$ of different rows shatters at least $|A|$ sets of columns, the empty set included. This
    is shown by induction. One row shatters the empty set. If there are more, two rows differ in some column $i$; split
    $A$ by the entry there into $A_+$ and $A_-$, which by induction shatter at least $|A_+|$ and $|A_-|$ sets, none of
    which contains $i$. All of these are shattered by $A$; and a set $B$ that is shattered by both counts twice for $A$
    too, as $B$ and as $B\cup\{i\}$. So $A$ shatters at least $|A_+|+|A_-|=|A|$ sets. If no set of more than $V$
    columns is shattered, there are at most $\sum_{i\le V}\binom mi$ of them, hence at most that many different rows.

    *It is attained* by the rows with at most $V$ entries $+1$: there are $\sum_{i\le V}\binom mi$ of them, $V$ columns
    show every labelling, and $V+1$ columns never show $+1$ everywhere. Intervals attain it too, with $V=2$.
    """
    m, V = values.shape[1], 0
    for k in range(1, m + 1):
        for columns in itertools.combinations(range(m), k):
            if len(np.unique(values[:, columns], axis=0)) == 2**k:
                V = k
    return V, sum(math.comb(m, i) for i in range(V + 1))


@solves("q9")
def k_fold(learn, X, y, n_folds):
    r"""*What it estimates.* Let $\bar\ell(n)$ be the risk of the algorithm after $n$ examples, averaged over samples.
    Fold $j$ has $n_j$ examples; the predictor $h_j$ is trained on the other $m-n_j$, which are a sample of that size.
    The fold is independent of $h_j$, so its mean error, given $h_j$, is the risk of $h_j$, and on average over samples
    it is $\bar\ell(m-n_j)$. Hence $\mathbb{E}\,\hat\ell_{\text{cv}}=\frac1K\sum_j\bar\ell(m-n_j)$. The sizes add up to
    $\sum_j(m-n_j)=Km-m$, so on average they are $t=m(1-\frac1K)$; if $K$ divides $m$ they all are $t$, and the
    estimate is unbiased for the risk after $t$ examples. It is not the risk of the predictor you will use, which is
    trained on all $m$.

    *The majority rule.* Let $m$ be even, half of the labels positive, and $K=m$. Without its test example a training
    set has $\frac m2-1$ labels like it and $\frac m2$ unlike it: the majority is always wrong, and the estimate is
    $1$. If the labels are fair coin flips, the mean of the estimate is $\frac12$ all the same, as it must be; steady
    it is not ({prf:ref}`prop-leave-one-out-majority`).
    """
    m, errors = len(y), []
    for j in range(n_folds):
        test = np.arange(m) % n_folds == j
        h = learn(X[~test], y[~test])
        errors.append(np.mean(h(X[test]) != y[test]))
    return np.mean(errors), m * (1 - 1 / n_folds)
