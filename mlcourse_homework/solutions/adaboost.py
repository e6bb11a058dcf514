"""Model solutions of the homework on AdaBoost."""

import numpy as np

from mlcourse_homework.engine.question import solves


@solves("q1")
def most_errors(m, risk):
    r"""On an error $y\,f(x)\le0$, so $e^{-y\,f(x)}\ge1$; on the other examples it is positive. Hence
    $\mathbf 1\{y\,f(x)\le0\}\le e^{-y\,f(x)}$, and the training error is at most the exponential risk $A$.

    Count more carefully. Let $k$ of the $m$ examples be errors. The costs add up to $mA$, so $k\le mA$. If $k<m$, the
    others cost something too, and $k<mA$. So $k=m$ needs $A\ge1$, and $k<m$ needs $k\le\lceil mA\rceil-1$. If $A<1$ the
    answer is therefore at most $\lceil mA\rceil-1$, which is less than $m$.

    Both are attained. If $A\ge1$ let $y_if(x_i)=-\ln A\le0$ for all $i$. If $A<1$ and $k=\lceil mA\rceil-1$, let $k$
    scores be $0$, and let the other $m-k$ examples have $e^{-y_if(x_i)}=(mA-k)/(m-k)$. This is positive, and less than
    one because $A<1$, so those examples are right.

    In particular, if $m\ge2$ a risk $A\le\frac1m$ leaves no error at all.
    """
    return m if risk >= 1 else int(np.ceil(m * risk)) - 1


@solves("q2")
def reweight(D, y, h, alpha):
    r"""The factor is $e^{\alpha}$ where the rule errs and $e^{-\alpha}$ where it is right. $Z$ is the sum before the
    division.

    With $\alpha=\frac12\ln\frac{1-\varepsilon}\varepsilon$ the wrong examples had weight $\varepsilon$ and now have
    $\varepsilon e^{\alpha}=\sqrt{\varepsilon(1-\varepsilon)}$, the right ones
    $(1-\varepsilon)e^{-\alpha}=\sqrt{\varepsilon(1-\varepsilon)}$, the same. So after the division each group has
    weight $\frac12$: under the new weights the rule is a coin.
    """
    new = D * np.exp(-alpha * y * h)
    return new / new.sum(), new.sum()


@solves("q3")
def unrolled(y, H, alpha):
    r"""Start from $D_1(i)=\frac1m$. Each round multiplies by $e^{-\alpha_ty_ih_t(x_i)}$ and divides by $Z_t$. The
    exponents add up and the denominators multiply:

    $$
    D_{T+1}(i)=\frac1m\prod_{t=1}^T\frac{e^{-\alpha_ty_ih_t(x_i)}}{Z_t}
    =\frac{e^{-y_if_T(x_i)}}{m\,Z_1\cdots Z_T},\qquad f_T=\sum_{t=1}^T\alpha_th_t .
    $$

    Sum over $i$: the left side gives one, so

    $$
    Z_1\cdots Z_T=\frac1m\sum_{i=1}^me^{-y_if_T(x_i)} ,
    $$

    the exponential risk of $f_T$. Nothing was said about the votes: the identity holds for all $\alpha_t$, also for
    bad ones. The weights of the next round are the costs of the examples, divided by their sum.
    """
    cost = np.exp(-y * (H @ alpha))
    return cost / cost.sum(), cost.mean()


@solves("q4")
def vote(epsilon):
    r"""The examples on which the rule is right have total weight $1-\varepsilon$ and factor $e^{-\alpha}$, the others
    total weight $\varepsilon$ and factor $e^{\alpha}$:

    $$
    Z(\alpha)=(1-\varepsilon)\,e^{-\alpha}+\varepsilon\,e^{\alpha} .
    $$

    Both coefficients are positive, so $Z''=Z>0$ and $Z$ is strictly convex: a zero of $Z'$ is its only minimiser.
    $Z'(\alpha)=-(1-\varepsilon)e^{-\alpha}+\varepsilon e^{\alpha}=0$ means
    $e^{2\alpha}=\frac{1-\varepsilon}\varepsilon$, that is $\alpha=\frac12\ln\frac{1-\varepsilon}\varepsilon$. There
    both terms are $\sqrt{\varepsilon(1-\varepsilon)}$, so $Z=2\sqrt{\varepsilon(1-\varepsilon)}$. It is one at
    $\varepsilon=\frac12$ and smaller everywhere else.

    The vote is positive exactly if $\varepsilon<\frac12$. With the sign turned, $Z(-\alpha)>1$ unless
    $\varepsilon=\frac12$: the exponential risk would rise in every round.
    """
    return np.log((1 - epsilon) / epsilon) / 2, 2 * np.sqrt(epsilon * (1 - epsilon))


@solves("q5")
def promise(edges):
    r"""By Question 3 the exponential risk is $Z_1\cdots Z_T$, and by Question 4, with $\varepsilon_t=\frac12-\gamma_t$,

    $$
    Z_t=2\sqrt{(\tfrac12-\gamma_t)(\tfrac12+\gamma_t)}=\sqrt{1-4\gamma_t^2} .
    $$

    Since $1-a\le e^{-a}$ for every $a$, $Z_t\le\sqrt{e^{-4\gamma_t^2}}=e^{-2\gamma_t^2}$. Multiply over the rounds:
    $c=2$ is allowed. No larger $c$ is. For one round the bound says $c\,\gamma^2\le-\frac12\ln(1-4\gamma^2)$, and for
    $\gamma\to0$ the right side is $2\gamma^2+O(\gamma^4)$. With Question 1, for the training error of the vote,

    $$
    \hat\ell_S(f_T)\le\prod_{t=1}^T\sqrt{1-4\gamma_t^2}\le e^{-2\sum_t\gamma_t^2} .
    $$
    """
    return np.prod(np.sqrt(1 - 4 * edges**2)), np.exp(-2 * np.sum(edges**2))


@solves("q6")
def rounds(m, edge):
    r"""$\sqrt{1-4\gamma_t^2}$ falls as $\gamma_t$ grows, so with edges of at least $\gamma$ the exponential risk is at
    most $(1-4\gamma^2)^{T/2}$, and edges of exactly $\gamma$ attain this. By Question 1 no error is left once it is at
    most $\frac1m$:

    $$
    \tfrac T2\ln(1-4\gamma^2)\le-\ln m\quad\Longleftrightarrow\quad T\ge\frac{2\ln m}{-\ln(1-4\gamma^2)} .
    $$

    One round less may leave a risk above $\frac1m$, which by Question 1 has room for an error. The weaker bound
    $e^{-2T\gamma^2}$ would give $T\ge\ln m/(2\gamma^2)$. For small edges this is nearly the same: a million examples
    and $\gamma=0.01$ take $69064$ rounds by the product and $69078$ by the exponential.
    """
    return int(np.ceil(2 * np.log(m) / -np.log(1 - 4 * edge**2)))


@solves("q7")
def fading(T):
    r"""Take $\gamma_t=\frac1{2(t+1)}$, so $4\gamma_t^2=\frac1{(t+1)^2}$ and

    $$
    \prod_{t=1}^T(1-4\gamma_t^2)=\prod_{t=1}^T\frac{t}{t+1}\cdot\frac{t+2}{t+1}
    =\frac1{T+1}\cdot\frac{T+2}{2}>\frac12 .
    $$

    Its root, the product of the $Z_t$, stays above $\frac1{\sqrt2}=0.707\dots$ In general, for $0<\gamma_t<\frac12$,
    $\prod_tZ_t$ tends to zero if and only if $\sum_t\gamma_t^2=\infty$. If the sum is infinite,
    $\prod_tZ_t\le e^{-2\sum\gamma_t^2}\to0$. If it is finite, $a_t=4\gamma_t^2\le\frac12$ from some round on, and there
    $1-a_t\ge e^{-2a_t}$, so $Z_t=\sqrt{1-a_t}\ge e^{-a_t}$. The product of these is at least $e^{-4\sum\gamma_t^2}>0$,
    and the finitely many factors before them are positive. Here even $\sum_t\gamma_t=\infty$: the squares decide.
    """
    return 1 / (2 * np.arange(2, T + 2))


@solves("q8")
def best_stump(X, y, D):
    r"""The stump with sign $+1$ at $\theta$ has twice the edge $\sum_iD(i)\,y_ih(x_i)=\sum_iD(i)\,y_i-2B$, where $B$ is
    the sum of $D(i)\,y_i$ over the points with $x_j\le\theta$. With the sign $-1$ it is the negative of this. So sort,
    cumulate, and take the largest absolute value. A place between two equal values is no threshold and must not win;
    $\theta=-\infty$ is the constant rule. The sort costs $O(m\log m)$ a column, trying every threshold $O(m^2)$.
    """
    best = (-1.0,)
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j])
        x = np.append(-np.inf, X[order, j])
        twice_edge = D @ y - 2 * np.append(0, np.cumsum((D * y)[order]))
        is_cut = np.append(x[:-1] < x[1:], True)
        i = np.argmax(np.abs(twice_edge) * is_cut)
        if abs(twice_edge[i]) > best[0]:
            best = abs(twice_edge[i]), j, x[i], 1 if twice_edge[i] >= 0 else -1
    return best[1:]


@solves("q9")
def adaboost(X, y, T):
    r"""Two lines deserve a word. A stump without a mistake would have an infinite vote and outvote all others, so it
    decides alone. With the best stump this can only happen in the first round: a stump that is right everywhere has
    error zero under every $D$.

    If the best error is $\frac12$, the vote is zero and the weights stay as they are, so every later round would be the
    same. For XOR it happens at once. A stump on the first coordinate has the same value at $(0,0)$ and $(0,1)$, whose
    labels differ, and the same value at $(1,1)$ and $(1,0)$, whose labels differ; likewise on the second coordinate. So
    every stump errs on exactly two of the four corners. A vote of stumps has
    $f(0,0)+f(1,1)=f(0,1)+f(1,0)$, and cannot be positive on the first two corners and negative on the others.
    """
    D, votes, stumps = np.full(len(y), 1 / len(y)), [], []
    for _ in range(T):
        j, theta, s = best_stump(X, y, D)
        h = np.where(X[:, j] > theta, s, -s)
        epsilon = D[h != y].sum()
        if epsilon == 0:
            return [1.0], [(j, theta, s)]
        if epsilon >= 1 / 2 - 1e-12:
            break
        votes, stumps = [*votes, vote(epsilon)[0]], [*stumps, (j, theta, s)]
        D = reweight(D, y, h, votes[-1])[0]
    return votes, stumps
