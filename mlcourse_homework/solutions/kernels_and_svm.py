"""Model solutions of the homework on kernels and support vector machines."""

import numpy as np

from mlcourse_homework.engine.question import solves


@solves("q1")
def verdicts():
    r"""Four are kernels, each with features. `tent`: $\phi(x)$ is the indicator of $[x,x+1]$, and
    $\int\phi(x)\phi(z)$ is the overlap $\max(0,1-|x-z|)$. `cauchy`:
    $\frac1{1+(x-z)^2}=\int_0^\infty e^{-t}e^{-t(x-z)^2}dt$, an average of Gaussian kernels. `ratio`:
    $\min(x,z)\cdot\min(\frac1x,\frac1z)$, a product of two kernels. `gcd`: for Euler's function $\varphi$ it is known
    that $\sum_{n\mid g}\varphi(n)=g$, so $\gcd(x,z)$ is the sum of $\varphi(n)$ over all $n$ that divide both; the
    features are $\sqrt{\varphi(n)}\,\mathbf 1\{n\mid x\}$.

    The others are convicted. `shifted`: $k(1,1)=0$, but $k(1,2)=1$. `lcm`: $k(1,2)^2=4>2=k(1,1)\,k(2,2)$. `box`: $1$
    is like $2$ and $2$ is like $3$, but $1$ is not like $3$; the determinant is $-1$. `bell`: three points at
    distance $h$ with the coefficients $a=(1,-2,1)$ have $\sum_ia_i=\sum_ia_ix_i=0$. So of $(x_i-x_j)^4$ only
    $6x_i^2x_j^2$ is left, and $\sum_{ij}a_ia_jk(x_i,x_j)=-6\,(\sum_ia_ix_i^2)^2+O(h^8)=-24h^4+O(h^8)$. `power`: the
    series $1+\frac32t+\frac38t^2 -\frac1{16}t^3+\dots$ has a negative coefficient, so {prf:ref}`prop-not-kernels`
    finds four points near zero; $1,2,3,4$ will do. A polynomial kernel needs a constant $c\ge0$ and a whole power:
    the slides say neither ({ref}`P30 <erratum-P30>`).
    """
    return {"shifted": [1, 2], "power": [1, 2, 3, 4], "box": [1, 2, 3], "tent": None,
            "bell": [1, 1.5, 2], "cauchy": None, "ratio": None, "gcd": None, "lcm": [1, 2]}


@solves("q2")
def quadratic_features(X, c):
    r"""Expand the square, and in it the square of $x\cdot z=\sum_jx_jz_j$:

    $$
    (x\cdot z+c)^2=c^2+\sum_j2c\,x_jz_j+\sum_jx_j^2z_j^2+\sum_{i<j}2\,x_ix_j\,z_iz_j .
    $$

    Each term is the product of two equal factors, one of $x$ and one of $z$: the features are $c$, $\sqrt{2c}\,x_j$,
    $x_j^2$ and $\sqrt2\,x_ix_j$ with $i<j$, in number $1+d+d+\frac{d(d-1)}2=\binom{d+2}2$. At $x=z=(1,1)$ and $c=1$
    the kernel is $9$; the printed terms give $1+1+1+2+2=7$. What is missing is $2x_1z_1$ ({ref}`M75 <erratum-M75>`).
    """
    i, j = np.triu_indices(X.shape[1], 1)
    mixed = np.sqrt(2) * X[:, i] * X[:, j]
    return np.hstack([np.full((len(X), 1), c), np.sqrt(2 * c) * X, X**2, mixed])


@solves("q3")
def class_distances(K, y):
    r"""The mean of class $c$ is $\sum_ja_j\phi(x_j)$ with $a_j=\mathbf 1\{y_j=c\}/m_c$. Inner products of such sums
    are sums of entries of $K$, so

    $$
    \Big\|\phi(x_i)-\sum_ja_j\phi(x_j)\Big\|^2=K_{ii}-2\,(Ka)_i+a^\top Ka .
    $$

    For the distance of two points take a class with one member. The rule "go to the nearer mean" compares the two
    columns; $K_{ii}$ cancels, and what remains is linear in feature space with weights $\mu_+-\mu_-$.
    """
    columns = []
    for c in (-1, 1):
        a = (y == c) / np.sum(y == c)
        columns.append(np.diag(K) - 2 * K @ a + a @ K @ a)
    return np.column_stack(columns)


@solves("q4")
def ridge(K, y, lam):
    r"""Let $r_i=y_i-f(x_i)-b$. The objective is convex in $(f,b)$, so a zero of its gradient is a minimiser:

    $$
    -\frac2m\sum_ir_i=0,\qquad\lambda f-\frac2m\sum_ir_i\,k(x_i,\cdot)=0 .
    $$

    The second holds with $a=\frac2{\lambda m}r$, that is $r=\frac{\lambda m}2a$; insert $r=y-Ka-b\mathbf 1$. The
    first then says $\mathbf 1^\top a=0$. Together

    $$
    \begin{pmatrix}K+\frac{\lambda m}2I&\mathbf 1\\\mathbf 1^\top&0\end{pmatrix}\binom ab=\binom y0 ,
    $$

    which has exactly one solution, as $K+\frac{\lambda m}2I$ is positive definite. With $\mathbf 1^\top a=0$ and
    $H=I-\frac1m\mathbf 1\mathbf 1^\top$, multiplying the first line by $H$ gives $(HKH+\frac{\lambda m}2I)a=Hy$: a
    bias does what centring the features and the targets would do. (The coefficients of an SVM will sum to zero for
    the same reason.)
    """
    m, ones = len(y), np.ones((len(y), 1))
    system = np.block([[K + lam * m / 2 * np.eye(m), ones], [ones.T, np.zeros((1, 1))]])
    solution = np.linalg.solve(system, np.append(y, 0))
    return solution[:-1], solution[-1]


@solves("q5")
def margin_bounds(w, b, alpha, X, y):
    r"""*Below.* The distance of $x_i$ to the hyperplane is $y_i(w\cdot x_i+b)/\|w\|$, as it is on its side; the best
    hyperplane has no smaller margin than this one. The number $\min_iy_i(w\cdot x_i+b)$ alone says nothing: double
    $(w,b)$ and it doubles.

    *Above.* Let $\|u\|=1$ and $y_i(u\cdot x_i+b)\ge\rho$ for all $i$. Multiply by $\alpha_i\ge0$ and add. Because of
    $\sum_i\alpha_iy_i=0$ the bias disappears:

    $$
    \rho\sum_i\alpha_i\le u\cdot\sum_i\alpha_iy_ix_i=u\cdot v\le\|v\| .
    $$

    So $\rho^*\le\|v\|/\sum_i\alpha_i$. It is the best bound of its kind: two points $x_1$ and $x_2$ of different
    labels, at any distance, with $\alpha_1=\alpha_2$ have $\|v\|/\sum_i\alpha_i=\frac12\|x_1-x_2\|$, which is their
    best margin. In pictures: divide $\alpha$ by its sum over a class, the same for both classes, and $v$ is the
    difference of a point of the convex hull of the positive examples and one of the negative; half their distance is
    the bound. It is weak duality, too: take the best $t$ in
    $W(t\alpha)=t\sum_i\alpha_i-\frac{t^2}2\|v\|^2\le\frac1{2\rho^{*2}}$. By {prf:ref}`thm-svm-dual` both bounds are
    $\rho^*$ if $(w,b)$ and $\alpha$ are solutions.
    """
    lower = (y * (X @ w + b)).min() / np.linalg.norm(w)
    upper = np.linalg.norm((alpha * y) @ X) / alpha.sum()
    return lower, upper


@solves("q6")
def gap_shares(alpha, b, K, y, C):
    r"""As $w=\sum_i\alpha_iy_i\phi(x_i)$ and $b\sum_i\alpha_iy_i=0$,
    $\|w\|^2=\sum_i\alpha_iy_i(w\cdot\phi(x_i)+b)=\sum_i\alpha_iz_i$, and

    $$
    P-W=\|w\|^2+C\sum_i[1-z_i]_+-\sum_i\alpha_i=\sum_i\Big(\alpha_i(z_i-1)+C\,[1-z_i]_+\Big).
    $$

    The bracket is $\alpha_i(z_i-1)$ if $z_i\ge1$ and $(C-\alpha_i)(1-z_i)$ if $z_i\le1$: never negative, and zero
    exactly if ($\alpha_i=0$ or $z_i\le1$) and ($\alpha_i=C$ or $z_i\ge1$). So the gap is zero if and only if, for all
    $i$, $z_i\ge1$ where $\alpha_i=0$, $z_i=1$ where $0<\alpha_i<C$, and $z_i\le1$ where $\alpha_i=C$: the three cases
    of {prf:ref}`thm-svm-kkt`. The printed $z_i-1+\xi_i\le0$ would, with $\xi_i=[1-z_i]_+$, say $[z_i-1]_+\le0$ and
    forbid every example outside the street; it must be $\ge0$ ({ref}`P26 <erratum-P26>`).
    """
    z = y * (K @ (alpha * y) + b)
    return alpha * (z - 1) + C * np.maximum(1 - z, 0)


@solves("q7")
def pair_step(alpha, i, j, K, y, C):
    r"""Let $\beta=\alpha y$ and $e$ have $+1$ at $i$, $-1$ at $j$. Moving along $e$ keeps $\sum_i\beta_i$, and
    $W(\beta+se)=W(\beta)+s(g_i-g_j)-\frac12s^2D$ with $g=y-K\beta$, $D=e^\top Ke=K_{ii}+K_{jj}-2K_{ij}\ge0$. This
    parabola has its top at $s=(g_i-g_j)/D$; on an interval the best point is the top, or the end nearest to it. The
    interval: with $[l,h]=[0,C]$ for a positive and $[-C,0]$ for a negative example, $l_i\le\beta_i+s\le h_i$ and
    $l_j\le\beta_j-s\le h_j$. If $D=0$ (the points coincide in feature space) $W$ is linear in $s$; a tiny number in
    place of $D$ sends $s$ to the end that lies uphill.
    """
    beta, low, high = alpha * y, np.minimum(0, C * y), np.maximum(0, C * y)
    g, D = y - K @ beta, K[i, i] + K[j, j] - 2 * K[i, j]
    least = max(low[i] - beta[i], beta[j] - high[j])
    most = min(high[i] - beta[i], beta[j] - low[j])
    s = np.clip((g[i] - g[j]) / max(D, 1e-12), least, most)
    beta[i] += s
    beta[j] -= s
    return beta * y


@solves("q8")
def train(K, y, C):
    r"""For an example with label $+1$, $z_i-1=b-g_i$; with label $-1$, $z_i-1=g_i-b$. So the three cases of question
    6 read: $b\ge g_i$ if $\beta_i$ can rise, $b\le g_i$ if it can fall. Such a $b$ exists if and only if
    $b_-=\max\{g_i:i\text{ can rise}\}\le b_+=\min\{g_j:j\text{ can fall}\}$, and then all of $[b_-,b_+]$ is optimal
    ({prf:ref}`prop-bias-interval`). If not, the two examples that attain the maximum and the minimum are a pair with
    which $W$ can grow: move them. (That this ends is a theorem of its own, which we do not prove.) A free example can
    do both, and then $b_-=b_+$. Without one there may be an interval; the slides take $b$ from a free example that
    need not exist ({ref}`P27 <erratum-P27>`). With two points $\pm1$ and $C=\frac1{10}$, both $\alpha_i=C$,
    $w=\frac15$, and every $b$ from $-\frac45$ to $\frac45$ is optimal.
    """
    alpha, tiny = np.zeros(len(y)), 1e-9 * C
    while True:
        g = y - K @ (alpha * y)
        rises = np.where(y > 0, alpha < C - tiny, alpha > tiny)
        falls = np.where(y > 0, alpha > tiny, alpha < C - tiny)
        i = np.where(rises, g, -np.inf).argmax()
        j = np.where(falls, g, np.inf).argmin()
        if g[i] - g[j] < 1e-6:
            return alpha, g[i], g[j]
        alpha = pair_step(alpha, i, j, K, y, C)


@solves("q9")
def pegasos(K, y, C, draws):
    r"""$\lambda\big(\frac12\|w\|^2+C\sum_i[1-z_i]_+\big)=F(w)$ for $\lambda C=\frac1m$, so $\lambda=\frac1{Cm}$. If
    the sum of the losses stood in $F$ instead of their mean, it would be $\frac1C$ ({ref}`P28 <erratum-P28>`).

    *Closed form.* $w_2=0+\frac1\lambda v_1$. If $w_t=\frac1{\lambda(t-1)}\sum_{s<t}v_s$ with $t\ge2$, then, since
    $(1-\frac1t)\frac1{\lambda(t-1)}=\frac1{\lambda t}$,
    $w_{t+1}=\frac1{\lambda t}\sum_{s<t}v_s+\frac1{\lambda t}v_t$. So $w_{T+1}=\sum_i\alpha_iy_i\phi(x_i)$ with
    $\alpha_i=n_i/(\lambda T)=Cm\,n_i/T$. With $\|\phi(x_i)\|\le R$ it is a mean of $T$ vectors of length at most $R$,
    divided by $\lambda$, so $\|w_{T+1}\|\le R/\lambda$.

    *The box.* If every example was drawn $p$ times, $T=pm$ and $n_i\le p$, so $0\le\alpha_i\le Cm\,p/(pm)=C$: this is
    feasible for the dual without bias, and question 6 with $b=0$ gives a certificate for Pegasos. Its guarantee on
    average, with the step that the notes skip, is {prf:ref}`thm-pegasos` ({ref}`M84 <erratum-M84>`).
    """
    m, counts = len(y), np.zeros(len(y))
    for t, i in enumerate(draws):  # t rounds are over
        z = y[i] * (K[i] @ (counts * y)) * C * m / max(t, 1)
        counts[i] += z < 1
    return C * m * counts / len(draws)
