"""Model solutions of the homework on the perceptron."""

import numpy as np
from scipy.optimize import linprog

from mlcourse_homework.engine.question import solves


@solves("q1")
def update(w, x, y, tau):
    r"""The example is a mistake if $y\,w\cdot x\le0$. Zero counts as a mistake: otherwise a perceptron that starts at
    $w=0$ would never move. Note that `w + tau * y * x` is a new array; `w += ...` would change the caller's.
    """
    return w + tau * y * x if y * (w @ x) <= 0 else w


@solves("q2")
def longest(t, R):
    r"""An update on $(x,y)$ is made only if $y\,w\cdot x\le0$. Then

    $$
    \|w+yx\|^2=\|w\|^2+2\,y\,w\cdot x+\|x\|^2\le\|w\|^2+\|x\|^2\le\|w\|^2+R^2 .
    $$

    Since $w_0=0$, after $t$ updates $\|w_t\|^2\le tR^2$. The bound is attained: on $t$ orthogonal points of length
    $R$ with labels $+1$ each point is a mistake when it is first seen, its score being zero, and
    $\|w_t\|^2=\sum_i\|x_i\|^2=tR^2$.
    """
    return t * R**2


@solves("q3")
def alignment(t, rho):
    r"""Let $u$ be the unit vector with $y_i\,u\cdot x_i\ge\rho$ for all $i$. An update on $(x,y)$ gives

    $$
    u\cdot(w+yx)=u\cdot w+y\,u\cdot x\ge u\cdot w+\rho ,
    $$

    and $u\cdot w_0=0$, so $u\cdot w_t\ge t\rho$. If every example has $y\,u\cdot x=\rho$, each update gains
    exactly $\rho$: so it is on orthogonal points of equal length with labels $+1$, where $u$ points along their sum.
    """
    return t * rho


@solves("q4")
def most_updates(R, rho):
    r"""By the two bounds and the inequality of Cauchy and Schwarz

    $$
    t\rho\le u\cdot w_t\le\|u\|\,\|w_t\|=\|w_t\|\le\sqrt t\,R ,
    $$

    so $\sqrt t\le R/\rho$ and $t\le(R/\rho)^2$. As $t$ is a whole number, $t\le\lfloor(R/\rho)^2\rfloor$. The ceiling
    would be true as well, but weaker. It is attained: $n$ orthogonal points of length $R$ need $n$ updates, and their
    best margin is $\rho=R/\sqrt n$, with $u$ along their sum.

    Three remarks. A step $\tau$ multiplies both $u\cdot w_t$ and $\|w_t\|$ by $\tau$, so the bound does not depend on
    it. The margin is that of *any* separating $u$; the best one gives the best bound. And the theorem counts updates,
    not passes.
    """
    return int(np.floor((R / rho) ** 2))


@solves("q5")
def margin(w, X, y):
    r"""The signed distance of $x_i$ from the hyperplane is $y_i\,w\cdot x_i/\|w\|$: positive on the right side. The
    margin is the smallest of them. Without the division by $\|w\|$ one could make it as large as one likes by
    multiplying $w$.
    """
    return (y * (X @ w)).min() / np.linalg.norm(w)


@solves("q6")
def train(X, y):
    r"""Two nested loops and a flag. Novikoff's theorem says that they end on every separable sample."""
    w, n_updates, clean = np.zeros(X.shape[1]), 0, False
    while not clean:
        clean = True
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i) <= 0:
                w, n_updates, clean = w + y_i * x_i, n_updates + 1, False
    return w, n_updates


@solves("q7")
def beyond():
    r"""On the line take $x_1=1$ with label $+1$ and $x_2=-1$ with label $-1$. Then $R=1$ and the best margin is
    $\rho=1$, so the bound would be $1$. But the perceptron with a bias works on $(1,1)$ and $-(-1,1)=(1,-1)$: after
    the first update $w=(1,1)$, the second example has score $(1,1)\cdot(1,-1)=0$ and is a mistake. Two updates. The
    theorem holds for the *augmented* points: their length is at most $\sqrt{1+R^2}=\sqrt2$, their margin is $1$ with
    $u=(1,0)$, and $(\sqrt2/1)^2=2$ is attained.
    """
    return np.array([[1.0], [-1.0]]), np.array([1, -1])


@solves("q8")
def slow_sample(d):
    r"""Let $x_i=e_i-e_1-\dots-e_{i-1}$, with label $+1$. Then $w\cdot x_i>0$ means $w_i>w_1+\dots+w_{i-1}$. The weights
    of a perceptron with step $1$ are integers, so $w_1\ge1$ and $w_i\ge1+w_1+\dots+w_{i-1}$, hence $w_i\ge2^{i-1}$.
    An update on $x_i$ raises $w_i$ by one and only updates on $x_i$ raise it, so at least $2^{i-1}$ of them are
    needed for each $i$, together $2^d-1$. Since the updates on later points take away from $w_i$ there are in fact
    many more: {prf:ref}`thm-slow-perceptron` counts exactly $(4^d-1)/3$, in every order.
    """
    return np.eye(d) - np.tril(np.ones((d, d)), -1), np.ones(d)


@solves("q9")
def separator(X, y):
    r"""If $w$ separates, let $\gamma=\min_iy_i\,w\cdot x_i>0$; then $w/\gamma$ has $y_i\,w\cdot x_i\ge1$ for all $i$,
    and conversely such a $w$ separates. So the sample is separable exactly if the linear programme "minimise $0$
    subject to $-y_ix_i\cdot w\le-1$ for all $i$" has a feasible point ({prf:ref}`prop-separability-lp`). The
    perceptron runs for ever on a sample that is not separable; the program says so. `linprog` assumes $w\ge0$
    unless it is told otherwise.
    """
    A = -y[:, None] * X
    program = linprog(np.zeros(X.shape[1]), A_ub=A, b_ub=-np.ones(len(y)), bounds=(None, None))
    return program.x if program.status == 0 else None
