"""Model solutions of the homework on nearest neighbours and trees."""

import math

import numpy as np

from mlcourse_homework.engine.question import solves


@solves("q1")
def vote(X, y, new, k):
    r"""A stable sort by the squared distance leaves equidistant points in the order of their indices. Then the votes
    are counted for each class. The classes are listed from the largest to the smallest, and `argmax` returns the first
    of the largest counts: the largest of the tied labels. For $k=m$ everybody votes and the answer does not depend on
    the place. Turning and moving all points leaves their distances as they are, and so the answers; changing the unit
    of *one* feature does not.
    """
    D = ((new[:, None] - X) ** 2).sum(axis=2)
    near = D.argsort(axis=1, kind="stable")[:, :k]
    classes = np.unique(y)[::-1]
    votes = (y[near][:, :, None] == classes).sum(axis=1)
    return classes[votes.argmax(axis=1)]


@solves("q2")
def with_borders(theta):
    r"""On the line the rule changes exactly at the midpoints of neighbouring points with different labels
    ({prf:ref}`prop-knn-line`). So put $\theta_i-g$ and $\theta_i+g$ around each border. If $g$ is less than half of the
    smallest gap, then $\theta_i+g<\theta_{i+1}-g$: the points come in the order in which we think of them. The two
    points of a pair have different labels and their midpoint is $\theta_i$. The right point of one pair and the left
    point of the next have the same label, so nothing changes between them.

    With $2n$ examples one neighbour can have any $n$ borders. No finite number of parameters describes such rules:
    this is what "non-parametric" means.
    """
    g = np.diff(theta, prepend=theta[0] - 1).min() / 3
    left = np.where(np.arange(len(theta)) % 2 == 0, -1, 1)
    return np.concatenate([theta - g, theta + g]), np.concatenate([left, -left])


@solves("q3")
def over_orders(X, y):
    r"""Take an example at a place with $n$ copies, $w$ of which carry another label than its own. Its neighbour is the
    first copy in the order. In a random order each of the $n$ is the first with probability $\frac1n$, so the example
    is a training error with probability $\frac wn$. If it is left out, each of the other $n-1$ copies is the first
    of them with probability $\frac1{n-1}$, and all $w$ are still there: $\frac w{n-1}$. Averages of averages: take the
    mean over the examples.

    Now collect the examples of one place, where class $c$ has the fraction $p_c$. The first sum is

    $$
    \sum_cnp_c\,\frac{n-np_c}n=n\Bigl(1-\sum_cp_c^2\Bigr),
    $$

    $n$ times the Gini criterion; with two classes, $2p(1-p)$. Leaving out multiplies it by $\frac n{n-1}$, and this
    is the factor that makes it honest. If the labels at a place are drawn with probabilities $\eta_c$, two different
    copies disagree with probability $1-\sum_c\eta_c^2$: this is exactly the expected leave-one-out error there. The
    training error compares each example with itself in one case of $n$, and is too small by the factor
    $1-\frac1n$. It vanishes only if no two equal points disagree.
    """
    same = (X[:, None] == X).all(axis=2)
    n, w = same.sum(axis=1), (same & (y[:, None] != y)).sum(axis=1)
    return np.mean(w / n), np.mean(w / (n - 1))


@solves("q4")
def limit_range(R, kappa):
    r"""At a place with posteriors $\eta_1,\dots,\eta_\kappa$ let $r=1-\max_c\eta_c$, so that $R^*=\mathbb{E}\,r$.

    *Least.* Since $\eta_c\le1-r$ for all $c$, $\sum_c\eta_c^2\le(1-r)\sum_c\eta_c=1-r$, so $1-\sum_c\eta_c^2\ge r$.
    Take expectations. Equality: with probability $\frac\kappa{\kappa-1}R$ (at most $1$) the label is drawn by a fair
    die with $\kappa$ faces, where $r=1-\frac1\kappa=1-\sum_c\eta_c^2$; elsewhere it is certain, and both are $0$.

    *Largest.* One $\eta_c$ is $1-r$, and the other $\kappa-1$ sum to $r$. By Cauchy and Schwarz
    $r^2\le(\kappa-1)\sum\eta_c^2$ over these others, so

    $$
    1-\sum_c\eta_c^2\le1-(1-r)^2-\frac{r^2}{\kappa-1}=2r-\frac\kappa{\kappa-1}\,r^2 .
    $$

    The right side is concave in $r$; by Jensen its expectation is at most $2R^*-\frac\kappa{\kappa-1}(R^*)^2$.
    Equality: everywhere the same noise, one class with probability $1-R$ and the others $\frac R{\kappa-1}$ each.

    For $\kappa=2$ this is $R^*\le2\,\mathbb{E}[\eta(1-\eta)]\le2R^*(1-R^*)$, {prf:ref}`prop-cover-hart`. With more
    classes the worst case is worse, but never as bad as $2R^*$.
    """
    return R, 2 * R - kappa / (kappa - 1) * R**2


@solves("q5")
def gains(left, right):
    r"""The gain is $\psi(p)$ minus the average of $\psi$ over the children, weighted by their shares of the examples.
    In the logarithm a $0$ may be replaced by $1$: the term is $0\cdot\log_21=0$, as it should be.

    In the example $p=0.8$, $q=0.6$, $r=1$, and the gains are $0$, $0.08$, $0.1182$ and $0.1551$. The minimum is linear
    on $[\frac12,1]$, where $p,q,r$ lie, so $\psi(p)$ *is* the average of $\psi(q)$ and $\psi(r)$; in terms of votes,
    both children still say $+1$. The other three functions are strictly concave, and see every split with $q\ne r$.

    Of Vayatis's two tests the first has the gains $0.25$, $0.125$, $0.0944$, $0.0670$ and the second $0.25$, $0.1667$,
    $0.1556$, $0.1464$. Either leaves $200$ errors of $800$, so for the training error they tie. The other three prefer
    the second, which has made one child pure: only the other still needs a question.

    With $\ln$ in place of $\log_2$ the third function is $\frac12\ln2\approx0.347$ at $\frac12$, below the minimum, so
    it is no bound on the training error. A constant factor does not change which split is best.
    """
    def psi(n):
        a = n / n.sum()
        H = -(a * np.log2(np.where(a > 0, a, 1))).sum()
        return np.array([a.min(), 2 * a.prod(), H / 2, np.sqrt(a.prod())])

    share = left.sum() / (left + right).sum()
    return psi(left + right) - share * psi(left) - (1 - share) * psi(right)


@solves("q6")
def best_split(x, y, psi):
    r"""Sorted, a test sends the first $n$ examples to the left, and the cumulative sum of the labels gives the
    fractions of positives on both sides for all $n$ at once. After the sort everything takes a number of steps
    proportional to $m$. Where two neighbours in the sorted order have the same value there is no cut. The middle of the
    two values is a choice; every $\theta$ between them divides the sample alike ({prf:ref}`prop-midpoints`). But if
    the two are neighbours among the floating-point numbers, their middle may be rounded to the larger one, which would
    then go to the left. In that case we take the smaller one.
    """
    order = np.argsort(x)
    x, positive, m = x[order], np.cumsum(y[order] > 0), len(x)
    n, total = np.arange(1, m), positive[-1]
    q, r = positive[:-1] / n, (total - positive[:-1]) / (m - n)
    gain = psi(total / m) - n / m * psi(q) - (1 - n / m) * psi(r)
    gain[x[1:] == x[:-1]] = -np.inf
    i = gain.argmax()
    middle = (x[i] + x[i + 1]) / 2
    return middle if middle < x[i + 1] else x[i], gain[i]


@solves("q7")
def misleading(epsilon):
    r"""The label is $+1$ where $x_1\ne x_2$. At each of the four corners there are $2n+1$ examples; $x_3$ tells the
    label, $1$ for $+1$ and $0$ for $-1$: right for $n+1$ of them, and wrong for $n$.

    *Depth two is enough.* Ask for $x_1$, then for $x_2$ on both sides.

    *The root.* Half of the labels are positive, also given $x_1$ and given $x_2$, so these two tests have no gain
    (compare {prf:ref}`prop-xor`). Given $x_3$ the fraction of positives is $\frac{n+1}{2n+1}$ or $\frac n{2n+1}$, not
    $\frac12$. Gini sees the difference, and greedy growth takes $x_3$.

    *The second level.* Where $x_3=1$ there are $n+1$ examples at each positive corner and $n$ at each negative one.
    Given $x_1$ one corner of each kind remains, and the fraction of positives is $\frac{n+1}{2n+1}$ as before; so it is
    given $x_2$. Both tests leave $n$ errors of $2n+1$ in every leaf. For $x_3=0$ it is the same with the signs
    exchanged. So the greedy tree of depth two errs on

    $$
    \frac n{2n+1}=\frac12-\frac1{2(2n+1)}\ge\frac12-\epsilon\qquad\text{if}\quad2n+1\ge\frac1{2\epsilon} .
    $$

    One level more repairs it: under each leaf the missing bit is the only question left.
    """
    n = int(np.ceil(1 / (4 * epsilon)))
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]).repeat(2 * n + 1, axis=0)
    odd = corners[:, 0] != corners[:, 1]
    right = np.arange(len(odd)) % (2 * n + 1) <= n
    return np.column_stack([corners, odd == right]), np.where(odd, 1, -1)


@solves("q8")
def code():
    r"""Write $1$ at an inner node, followed by the words of its two subtrees, and $0$ at a leaf. That is one bit a
    node, $2M+1$ bits for $M$ inner nodes.

    *It is a prefix code.* `read`, given a text that begins with the word of $T$, returns $T$ and what comes after: for
    a leaf this is clear, and for an inner node it follows by induction for the two subtrees, one after the other. It
    never looks at what comes later. If the word of $T$ began that of $T'$, reading the latter would return both $T$
    and $T'$; hence $T=T'$. For the same reason several words may be glued together.

    *Nothing is wasted.* There are $C_M$ shapes, so the Kraft sum is $\sum_MC_M2^{-(2M+1)}=\frac12\sum_MC_M4^{-M}=1$
    ({prf:ref}`prop-tree-code`). No prefix code has a shorter word for one tree unless it has a longer one for
    another. So the slip of the note is to forget what is *in* the nodes: the tests and the labels take
    $M\lceil\log_2d\rceil+M+1$ bits more in {prf:ref}`alg-encode-tree`.
    """
    def encode(tree):
        return "1" + encode(tree[0]) + encode(tree[1]) if tree else "0"
    def read(word):
        if word[0] == "0":
            return (), word[1:]
        low, rest = read(word[1:])
        high, rest = read(rest)
        return (low, high), rest
    def decode(word):
        tree, rest = read(word)
        return [tree, *decode(rest)] if rest else [tree]
    return encode, decode


@solves("q9")
def choose_size(errors, m, d, delta):
    r"""There are $C_M$ shapes with $M$ inner nodes, $d^M$ ways to choose their attributes and $2^{M+1}$ ways to label
    the leaves. With the weights of the question

    $$
    \ln\frac1{w(T)}=\ln C_M+M\ln d+(M+1)\ln2+\ln\bigl((M+1)(M+2)\bigr),\qquad C_M=\frac1{M+1}\binom{2M}M .
    $$

    The weights sum to $\sum_M\bigl(\frac1{M+1}-\frac1{M+2}\bigr)=1$, so {prf:ref}`thm-occam` applies to all trees at
    once. Hence also to the one that was chosen with the sample: that is why we may look for the best bound.

    The note counts $\frac1N\binom{2N-2}{N-1}=C_{N-1}$ shapes with $N=2M+1$ nodes. For $N=3$ that is $2$, and there is
    one. In the bound this is harmless, as it is too many. But with one bit a node, as in the question before, $C_{N-1}$
    words of $N$ bits for $N=1,3,5$ would have the Kraft sum $\frac12+\frac28+\frac{14}{32}>1$, and no prefix code has.

    The prefix code of {prf:ref}`thm-tree-occam` is another choice of weights. If $d$ is a power of two, its price
    $(3M+2+M\log_2d)\ln2$ is below ours by about $\frac12\ln M-1.3$ for large $M$: it hardly matters which one is used.
    """
    price = [math.log(math.comb(2 * M, M) // (M + 1) * d**M * 2 ** (M + 1) * (M + 1) * (M + 2))
             for M in range(len(errors))]
    bound = errors / m + np.sqrt((np.array(price) + math.log(2 / delta)) / (2 * m))
    return bound.argmin(), bound.min()
