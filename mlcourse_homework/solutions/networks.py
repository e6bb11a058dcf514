"""Model solutions of the homework on neural networks."""

import itertools

import numpy as np
from scipy.optimize import linprog
from scipy.special import expit

from mlcourse_homework.engine.question import solves


@solves("q1")
def forward(X, W, b, v, c):
    r"""Row $i$ of $XW+b$ holds the scores $a_{ij}=b_j+\sum_kX_{ik}W_{kj}$ of the $N$ units for example $i$: NumPy adds
    the vector $b$ to every row. The values are $z_{ij}=\tanh a_{ij}$, and the output $c+\sum_jv_jz_{ij}$ is a product
    of the table of values with $v$. The output unit is linear.
    """
    return np.tanh(X @ W + b) @ v + c


@solves("q2")
def slope(z, low, high, r):
    r"""Write $\sigma$ for $\sigma(ra)$. Since $\sigma'=\sigma(1-\sigma)$, the chain rule gives

    $$
    g'(a)=(\text{high}-\text{low})\,r\,\sigma\,(1-\sigma).
    $$

    The value $z=\text{low}+(\text{high}-\text{low})\,\sigma$ determines $\sigma$. It lies
    $z-\text{low}=(\text{high}-\text{low})\,\sigma$ above the lower end and $\text{high}-z=(\text{high}-\text{low})
    (1-\sigma)$ below the upper one. The product of the two is $(\text{high}-\text{low})^2\sigma(1-\sigma)$, so

    $$
    g'(a)=\frac{r\,(z-\text{low})\,(\text{high}-z)}{\text{high}-\text{low}} .
    $$

    For tanh, with $-1$, $1$ and $r=2$, this is $(z+1)(1-z)=1-z^2$; for the sigmoid it is $z(1-z)$; for the slides'
    $\sigma(a/2)$, with $r=\frac12$, it is $\frac12z(1-z)$. So $1-g^2$ is wrong for that unit, and so is $g(1-g)$.
    """
    return r * (z - low) * (high - z) / (high - low)


@solves("q3")
def gradients(X, y, W, b, v, c):
    r"""Let $s_i=h(x_i)$ and $R=\frac1m\sum_i\ln(1+e^{-y_is_i})$. From the output back,

    $$
    \delta_i=\frac{\partial R}{\partial s_i}=-\frac{y_i}m\,\sigma(-y_is_i),\qquad
    \delta_{ij}=\frac{\partial R}{\partial a_{ij}}=\delta_i\,v_j\,(1-z_{ij}^2),
    $$

    because $s_i$ depends on $a_{ij}$ through $v_jz_{ij}$ only. Each parameter is used by all $m$ examples, so its
    derivative is a sum over them: $\sum_i\delta_i$ for $c$, $\sum_i\delta_iz_{ij}$ for $v_j$, $\sum_i\delta_{ij}$ for
    $b_j$ and $\sum_iX_{ik}\delta_{ij}$ for $W_{kj}$. With the table $\Delta=(\delta_{ij})$ the last two are the sum of
    the rows of $\Delta$ and $X^\top\Delta$. The $\frac1m$ is in $\delta_i$ already. `expit` computes $\sigma$ without
    overflow: at a score of $1000$ on the wrong side $\delta_i$ is $\mp\frac1m$, not `nan`.
    """
    z = np.tanh(X @ W + b)
    delta = -y * expit(-y * (z @ v + c)) / len(y)
    back = np.outer(delta, v) * (1 - z**2)
    return X.T @ back, back.sum(axis=0), z.T @ delta, delta.sum()


@solves("q4")
def softmax_layer(a, g):
    r"""Adding $t$ to all scores of a row multiplies numerator and denominator by $e^t$. With $t=-\max_ca_c$ the largest
    exponential is $1$, so the sum is at least $1$ and nothing overflows; each row needs its own $t$.

    From $\partial p_c/\partial a_j=p_c(\mathbf{1}\{c=j\}-p_j)$ ({prf:ref}`prop-softmax`) the gradient of
    $\sum_cg_cp_c$ has the components

    $$
    \sum_cg_c\,p_c\,(\mathbf{1}\{c=j\}-p_j)=p_j\,\Big(g_j-\sum_cg_cp_c\Big) .
    $$

    Each $g_j$ is compared with the mean of $g$ under $p$, and no table of $\kappa^2$ derivatives is needed. For the
    cross-entropy $-\ln p_y$ the incoming gradient is $g=-e_y/p_y$, whose mean under $p$ is $-1$. What goes back is
    $p_j\,(1-\mathbf{1}\{j=y\}/p_y)$, that is $p-e_y$. If $p_y$ has been rounded to zero, $g$ is infinite: one
    therefore computes $p-e_y$ directly and never passes through $g$.
    """
    e = np.exp(a - a.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return p, p * (g - (g * p).sum(axis=1, keepdims=True))


@solves("q5")
def canonical(W, b, v):
    r"""Write a unit as the column $\theta_j=(W_j,b_j,v_j)$. Since tanh is odd, $-\theta_j$ computes the same term
    $v_j\tanh(W_j\cdot x+b_j)$, and the sum does not know the order of its terms.

    Of $\theta_j$ and $-\theta_j$ we take the one whose first entry that is not zero is positive. The choice is the same
    whichever of the two is given. (The sign of $v_j$ alone, or of one weight alone, does not decide where that entry
    is zero.) Then we sort the columns by all their entries. A copy has the same columns after the first step, in
    another order, so sorting gives the same table: columns that are still tied are equal, and their order is no
    matter. Sorting $W$, $b$ and $v$ each for itself would tear the units apart.

    If the $\pm\theta_j$ are $2N$ different columns, $N!$ orders and $2^N$ signs give $2^NN!$ copies, all with one form
    ({prf:ref}`prop-symmetries`): to compare two trained networks, compare their forms.
    """
    theta = np.vstack([W, b, v])  # a column for each unit
    for unit in theta.T:
        entries = unit[unit != 0]
        unit *= np.sign(entries[0]) if len(entries) else 1
    theta = theta[:, np.lexsort(theta)]
    return theta[:-2], theta[-2], theta[-1]


@solves("q6")
def weight_variance(n, N, activation, way):
    r"""*Forward.* The weights are independent with mean zero, so $\mathbb{E}a_j^2=\sum_i\mathbb{E}W_{ij}^2x_i^2
    =s^2\|x\|^2$, which is $ns^2$ times the mean square of the inputs. For a linear unit the value is $a_j$, for $|a|$
    it has the same square. For relu, $a^2=[a]_+^2+[-a]_+^2$, and the two terms have the same mean because $a_j$ and
    $-a_j$ have the same law: $\mathbb{E}[a_j]_+^2=\frac12\mathbb{E}a_j^2$. So $s^2=\frac1n$ for linear and $|a|$,
    and $\frac2n$ for relu.

    *Back.* Input $i$ receives $\sum_jW_{ij}\varphi'(a_j)g_j$. The $g_j$ are independent of the weights and of each
    other, with mean zero, so the mixed terms of the square have mean zero and

    $$
    \mathbb{E}\Big(\sum_jW_{ij}\varphi'(a_j)g_j\Big)^2
    =\sum_j\mathbb{E}\big[W_{ij}^2\varphi'(a_j)^2\big]\,\mathbb{E}g_j^2 .
    $$

    For linear and $|a|$, $\varphi'^2=1$ and the factor is $s^2$. For relu, $\varphi'(a_j)^2=\mathbf{1}\{a_j>0\}$.
    Turning the signs of all weights of unit $j$ exchanges $a_j>0$ and $a_j<0$ and leaves $W_{ij}^2$ alone, so the
    factor is $\frac12s^2$. The sum has $N$ terms: $s^2=\frac1N$ and $\frac2N$. Both demands together need $n=N$.
    """
    passed = 1 / 2 if activation == "relu" else 1
    return 1 / (passed * (n if way == "forward" else N))


@solves("q7")
def dropout_fit(X, y, p):
    r"""Fix an example. The prediction $s=\frac1p\sum_jw_j\mu_jx_j$ is a sum of independent terms. As
    $\mathbb{E}\mu_j=p$ and $\operatorname{Var}\mu_j=p(1-p)$,

    $$
    \mathbb{E}s=w\cdot x,\qquad\operatorname{Var}s=\frac{p(1-p)}{p^2}\sum_jw_j^2x_j^2=\frac{1-p}p\sum_jw_j^2x_j^2 .
    $$

    With $\mathbb{E}(y-s)^2=(y-\mathbb{E}s)^2+\operatorname{Var}s$ the expected loss of the sample is

    $$
    \frac1m\sum_i(y_i-w\cdot x_i)^2+\frac{1-p}p\sum_js_jw_j^2,\qquad s_j=\frac1m\sum_ix_{ij}^2 ,
    $$

    ridge regression with a strength of its own for each feature. It is strictly convex if no feature is zero on the
    whole sample, and its gradient vanishes where

    $$
    \Big(\frac1mX^\top X+\frac{1-p}p\operatorname{diag}(s_1,\dots,s_d)\Big)w=\frac1mX^\top y .
    $$
    """
    m, s = len(X), (X**2).mean(axis=0)
    return np.linalg.solve(X.T @ X / m + (1 - p) / p * np.diag(s), X.T @ y / m)


@solves("q8")
def symmetric_network(F):
    r"""If $k$ inputs are $+1$, the sum of the inputs is $2k-d$. For each $n$ with $F_n\ne F_{n-1}$ take a hidden unit
    with all weights $1$ and bias $d+1-2n$. Its score is $2(k-n)+1$, never zero, so it is $+1$ exactly if $k\ge n$.
    Its output weight is $v_n=\frac12(F_n-F_{n-1})$, which is $F_n$ because $F_{n-1}=-F_n$. If $u_n(k)\in\{-1,+1\}$ is
    its value, $\frac12(1+u_n(k))$ is one for $k\ge n$ and zero otherwise, and

    $$
    F_k=F_0+\sum_{n\le k}(F_n-F_{n-1})=F_0+\sum_n(F_n-F_{n-1})\,\tfrac12\,(1+u_n(k))=c+\sum_nv_nu_n(k),
    $$

    where $c=F_0+\frac12\sum_n(F_n-F_{n-1})=\frac12(F_0+F_d)$. The score of the output is $F_k$ itself.

    Parity, $F_k=(-1)^k$, changes $d$ times: $d$ units. The corners where it is $+1$ are half of all corners, so the
    construction of {prf:ref}`thm-boolean-network` would take $2^{d-1}$.
    """
    d, changes = len(F) - 1, np.flatnonzero(np.diff(F)) + 1
    return np.ones((d, len(changes))), d + 1 - 2 * changes, F[changes], (F[0] + F[-1]) / 2


@solves("q9")
def labellings(X):
    r"""A labelling is possible if some $(w,b)$ has $y_i(w\cdot x_i+b)>0$ for all $i$: a score that is zero becomes
    positive if $b$ is raised a little, and the other signs stay. A multiple of such a $(w,b)$ has
    $y_i(w\cdot x_i+b)\ge1$, which a linear programme can decide. With $y$ also $-y$ is possible, by $-(w,b)$, so it is
    enough to try those with $y_1=+1$ and to double.

    For points in general position the answer is Cover's $2\sum_{i\le d}\binom{m-1}i$ ({prf:ref}`lem-cover`). On a
    line it is $2m$. The eight corners of the cube in space are not in general position, as each face holds four of
    them: $104$ instead of $128$. So a unit with three Boolean inputs computes $104$ of the $256$ functions, and one
    with two inputs $14$ of $16$, all but the exclusive or and its opposite. If each unit of a fixed graph sees at most
    three others, $u$ units compute at most $104^u$ functions, and $u\ge2^d/\log_2104$ are needed to compute all
    $2^{2^d}$. This is the counting behind {prf:ref}`thm-boolean-lower`.
    """
    Z, count = np.column_stack([X, np.ones(len(X))]), 0
    for signs in itertools.product((-1, 1), repeat=len(X) - 1):
        A = np.array((1, *signs))[:, None] * Z
        found = linprog(np.zeros(Z.shape[1]), -A, -np.ones(len(X)), bounds=(None, None))
        count += 2 * found.success
    return count
