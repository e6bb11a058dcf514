"""Model solutions of the homework on online learning and stability."""

import numpy as np

from mlcourse_homework.engine.question import solves


@solves("q1")
def project(w, U):
    r"""If $\|w\|\le U$ then $p=w$ is nearest, and $(w-p)\cdot(v-p)=0$ for every $v$; there is nothing to show. Let
    $\|w\|>U$ and $p=\frac U{\|w\|}w$. Every $v$ of the ball has $w\cdot v\le\|w\|\,U=w\cdot p$ and
    $p\cdot v\le U^2=p\cdot p$. As $w-p=(\frac{\|w\|}U-1)\,p$ is a positive multiple of $p$,

    $$
    (w-p)\cdot(v-p)\le0 ,
    $$

    so $\|w-v\|^2=\|w-p\|^2+\|p-v\|^2-2(w-p)\cdot(v-p)\ge\|w-p\|^2+\|p-v\|^2$. The point $p$ is nearest, and it is at
    least as close to every $v$ of the ball as $w$ was: that is all that the proofs below need. For two points $w,w'$
    with nearest points $p,p'$ add $(w-p)\cdot(p'-p)\le0$ and $(w'-p')\cdot(p-p')\le0$: this gives
    $\|p-p'\|^2\le(w-w')\cdot(p-p')\le\|w-w'\|\,\|p-p'\|$. Nothing moves apart.
    """
    norm = np.linalg.norm(w)
    return w if norm <= U else w * (U / norm)


@solves("q2")
def ogd(gradients, w, U, tau):
    r"""The order of the two lines in the loop is the game: first the play is noted down, then the loss may be looked
    at, and only at the point that was played. The step is against the gradient (a note has a plus here,
    {ref}`M62 <erratum-M62>`) and has the length of this round, $\tau_t$. The weights after the last round are never
    played, so they are not returned.
    """
    plays = []
    for t, gradient in enumerate(gradients, start=1):
        plays.append(w)
        w = project(w - tau(t) * gradient(w), U)
    return np.array(plays)


@solves("q3")
def hindsight(W, g, X, y, U):
    r"""Up to a constant the sum of the losses is $\frac12\,u\cdot Au-b\cdot u$ with $A=2X^\top X$ and
    $b=2X^\top y-\sum_tg_t$. Suppose that $u$ in the ball and $\alpha\ge0$ satisfy $(A+\alpha I)\,u=b$, and that
    $\alpha=0$ or $\|u\|=U$. Then $u$ is best: the gradient there is $Au-b=-\alpha u$, and for every $v$ of the ball

    $$
    \sum_t\ell_t(v)-\sum_t\ell_t(u)\ge-\alpha\,u\cdot(v-u)=\alpha\,(\|u\|^2-u\cdot v)\ge0 .
    $$

    In the eigenvectors of $A$ the length of $(A+\alpha I)^{-1}b$ is seen to fall with $\alpha$, and at $\alpha=\|b\|/U$
    it is at most $U$. Bisection finds the $\alpha$ with length $U$; if there is none it goes down to zero, where the
    limit is the shortest solution of $Au=b$. (If $Au=b$ cannot be solved, the lengths grow beyond every bound as
    $\alpha\to0$, so then there is one, even if the least-squares solution of $Au=b$ is in the ball.) If all losses are
    linear and $b\ne0$ then $A=0$ and $u=b/\alpha=Ub/\|b\|$: the best comparator is $-U$ times the direction of
    $\sum_tg_t$, and it pays $-U\|\sum_tg_t\|$. To project the least-squares weights is not enough: nearest in distance
    is not best in loss.
    """
    s, V = np.linalg.eigh(2 * X.T @ X)
    b = V.T @ (2 * X.T @ y - g.sum(axis=0))
    low, high = 0.0, np.linalg.norm(b) / U + 1e-12
    for _ in range(100):
        alpha = (low + high) / 2
        longer = np.linalg.norm(b / (np.maximum(s, 0) + alpha)) > U
        low, high = (alpha, high) if longer else (low, alpha)
    u = V @ (b / (np.maximum(s, 0) + high))
    paid = np.sum(g * W) + np.sum((y - np.sum(X * W, axis=1)) ** 2)
    return u, paid - np.sum(g @ u) - np.sum((y - X @ u) ** 2)


@solves("q4")
def promise(tau, U, G):
    r"""Let $a_t=\|w_t-u\|^2$, at most $4U^2$, as both points are in the ball. By Question 1 the projection brings the
    player closer to $u$, so $a_{t+1}\le\|w_t-\tau_tg_t-u\|^2=a_t-2\tau_t\,g_t\cdot(w_t-u)+\tau_t^2\|g_t\|^2$. Convexity
    gives $\ell_t(w_t)-\ell_t(u)\le g_t\cdot(w_t-u)$. Solve for this product and sum:

    $$
    R_T(u)\le\sum_{t=1}^T\frac{a_t-a_{t+1}}{2\tau_t}+\frac{G^2}2\sum_{t=1}^T\tau_t .
    $$

    The first sum is
    $\frac{a_1}{2\tau_1}+\sum_{t=2}^T\frac{a_t}2(\frac1{\tau_t}-\frac1{\tau_{t-1}}) -\frac{a_{T+1}}{2\tau_T}$. The steps
    do not grow, so the brackets are not negative; replace each $a_t$ by $4U^2$ and drop the last term: what remains
    telescopes to $\frac{2U^2}{\tau_T}$. Together

    $$
    R_T(u)\le\frac{2U^2}{\tau_T}+\frac{G^2}2\sum_{t=1}^T\tau_t .
    $$

    For suitable steps it is attained. On the line let $\tau$ be constant, $n=\frac{2U}{\tau G}$ a whole number,
    $T\ge n$, $T-n$ even and $w_1=U$. Slopes $G,-G$ in turn keep the player at $U$, and each pair costs $\tau G^2$ more
    than $u=-U$ pays. Then $n$ slopes $G$ lead it to $-U$, at the price
    $G\sum_{k<n}(2U-k\tau G)=UG(n+1)=\frac{2U^2}\tau+\frac{G^2}2n\tau$. (For other steps a little can be gained: after
    the last one nothing is played, so in the bound $\tau_T$ may be replaced by the smaller of $\tau_{T-1}$ and $2U/G$.)
    """
    return 2 * U**2 / tau[-1] + G**2 / 2 * np.sum(tau)


@solves("q5")
def hard_points(T, mu, G):
    r"""*No more is possible.* Let $a_t=(w_t-u)^2$ and $g_t=\mu(w_t-p_t)$. For a parabola
    $\ell_t(w_t)-\ell_t(u)=g_t(w_t-u)-\frac\mu2a_t$, and the step $\frac1{\mu t}$ gives
    $g_t(w_t-u)=\frac{\mu t}2(a_t-a_{t+1})+\frac{g_t^2}{2\mu t}$. Add up: $\frac\mu2((t-1)a_t-t\,a_{t+1})$ telescopes,
    and

    $$
    R_T(u)=\sum_{t=1}^T\frac{g_t^2}{2\mu t}-\frac{\mu T}2\,(w_{T+1}-u)^2 .
    $$

    With $|g_t|\le G$ this is at most $\frac{G^2}{2\mu}\sum_{t\le T}\frac1t$, for the best $u$, which is $w_{T+1}$.

    *It is attained* if every slope has length $G$, that is if $|w_t-p_t|=\frac G\mu$. On the side towards zero $p_t$
    stays in the interval: if $|w_t|\le\frac G\mu$ then $|p_t|\le\frac G\mu$, and so is $w_{t+1}=\frac{(t-1)w_t+p_t}t$,
    a mean of such numbers.

    Since $\frac1t>\int_t^{t+1}\frac{dx}x$, the harmonic sum is above $\ln(T+1)$: on these points the printed bound
    ({ref}`M73 <erratum-M73>`) fails for *every* $T$. Since $\frac1t\le\int_{t-1}^t\frac{dx}x$ for $t\ge2$, it is at
    most $1+\ln T$, which is the right bound.
    """
    w, points = 0.0, []
    for t in range(1, T + 1):
        points.append(w - G / mu if w > 0 else w + G / mu)
        w = w - (w - points[-1]) / t
    return np.array(points)


@solves("q6")
def promised(X, y, comparators):
    r"""Let $M\ge1$ and let $w$ be the weights after all mistakes, the sum of $y_tx_t$ over the mistaken rounds. An
    update adds $2y_t\,w_t\cdot x_t+\|x_t\|^2\le R^2$ to the squared length, so $\|w\|\le R\sqrt M$. And
    $y_t\,u\cdot x_t\ge1-[1-y_t\,u\cdot x_t]_+$, so $u\cdot w\ge M-H_T(u)$: the rounds without a mistake only make
    $H_T(u)$ larger. By Cauchy and Schwarz

    $$
    M-H_T(u)\le u\cdot w\le\|u\|\,R\sqrt M=b\sqrt M .
    $$

    This is a quadratic inequality for $\sqrt M$. It holds exactly for $\sqrt M\le\frac b2+\sqrt{\frac{b^2}4+H_T(u)}$.
    The theorem holds for every $u$, so the smallest of the bounds holds. Two cases in which nothing is lost: orthogonal
    points of length one with labels $+1$, where $u=(1,\dots,1)$ has $H=0$ and $b^2=T$; and the point $1$ with labels
    that alternate, where $u=0$ has $H=T$, and the perceptron, thrown to and fro, is wrong every time.
    """
    R = np.linalg.norm(X, axis=1).max()
    H = np.maximum(0, 1 - y * (comparators @ X.T)).sum(axis=1)
    b = np.linalg.norm(comparators, axis=1) * R
    return ((b / 2 + np.sqrt(b**2 / 4 + H)) ** 2).min()


@solves("q7")
def one_pass(X, y, U, R):
    r"""Given the first $t-1$ examples, $w_t$ is fixed and example $t$ is a fresh draw:
    $\mathbb{E}\,\ell_t(w_t)=\mathbb{E}\,\ell_{\mathcal{D}}(w_t)$. So what is paid is an unbiased estimate of the mean
    risk of the plays, and as the risk is convex, Jensen's inequality says
    $\ell_{\mathcal{D}}(\bar w)\le\frac1m\sum_t\ell_{\mathcal{D}}(w_t)$. For a fixed $u$ of the ball
    $\mathbb{E}\,\ell_t(u)=\ell_{\mathcal{D}}(u)$, so

    $$
    \mathbb{E}\,\ell_{\mathcal{D}}(\bar w)\le\mathbb{E}\,\frac1m\sum_{t=1}^m\ell_t(w_t)
    =\ell_{\mathcal{D}}(u)+\frac1m\,\mathbb{E}\,\big[\text{regret against }u\big] .
    $$

    (We write the regret in words: $R$ is the radius of the data here.) The gradients have length at most $R$. With
    $\sum_{t\le m}\frac1{\sqrt t}\le2\sqrt m$ the promise of Question 4 is at most $(\frac{2U^2}c+cR^2)\sqrt m$, least
    at $c=\sqrt2\,U/R$, and then it is $UR\sqrt{8m}$. Divide by $m$. The note's $UR^2\sqrt{8/m}$
    ({ref}`M66 <erratum-M66>`) cannot be right: in other units of $x$, with $U$ in the inverse units, scores and losses
    stay what they were, and so must the promise.
    """
    w, plays, paid = np.zeros(X.shape[1]), [], []
    for t in range(1, len(y) + 1):
        plays.append(w)
        z = y[t - 1] * (w @ X[t - 1])
        paid.append(max(0.0, 1 - z))
        g = -y[t - 1] * X[t - 1] * (z < 1)
        w = project(w - np.sqrt(2) * U / (R * np.sqrt(t)) * g, U)
    return np.mean(plays, axis=0), np.mean(paid), U * R * np.sqrt(8 / len(y))


@solves("q8")
def tight(m, lam, R):
    r"""*The bound.* Let $w$ minimise $F_S$, a convex function plus $\frac\lambda2\|w\|^2$. For every $v$ and $0<a<1$ we
    have $F_S(w)\le F_S(w+a(v-w))\le(1-a)F_S(w)+aF_S(v)-\frac\lambda2a(1-a)\|v-w\|^2$. Subtract $(1-a)F_S(w)$, divide by
    $a$ and let $a\to0$: $F_S(v)-F_S(w)\ge\frac\lambda2\|v-w\|^2$. Let $w'$ be the minimiser for the other sample and
    $r=\|w-w'\|$. Use this twice, for each sample with the minimiser of the other one as $v$, and add. All losses cancel
    but those of the changed example:

    $$
    \lambda r^2\le\frac{\ell(w';s_i)-\ell(w;s_i)}m+\frac{\ell(w;s_i')-\ell(w';s_i')}m\le\frac{2Gr}m .
    $$

    So $r\le\frac{2G}{\lambda m}$, and a loss changes by at most $G$ times that. The note ({ref}`M86 <erratum-M86>`)
    uses the inequality for one of the samples only and gets $\frac{4G}{\lambda m}$.

    *It is attained.* Let all $x_i=R$ and the labels $\pm B$ with $B\ge R^2/\lambda$. Let $k$ be the number of positive
    minus that of negative labels. $F_S(w)$ is at least $B-\frac{wRk}m+\frac\lambda2w^2$, and equal to it where
    $|w|\le\frac R\lambda$, since there no $y_i-wR$ has the wrong sign. This parabola is least at
    $w=\frac{Rk}{\lambda m}$, which is in that range, so there $F_S$ is least too. Changing $B$ into $-B$ lowers $k$ by
    two. Both numerators above are then equal to $Gr$: the loss on the changed example moves by
    $\frac{2G^2}{\lambda m}$. The hinge, whose labels cannot be made large, attains it for large $\lambda m$
    ({prf:ref}`prop-stability-tight`).
    """
    B = R**2 / lam + 1
    y = np.where(np.arange(m) % 2 == 0, B, -B)
    y_new = np.where(np.arange(m) == 0, -B, y)
    w, w_new = (R * np.sign(labels).sum() / (lam * m) for labels in (y, y_new))
    return np.full(m, R), y, y_new, w, w_new


@solves("q9")
def enough(U, G, epsilon):
    r"""The product of the two terms is $\frac{G^2U^2}m$, whatever $\lambda$. The sum of two positive numbers with a
    given product is least if they are equal, here to $\frac{GU}{\sqrt m}$:

    $$
    \frac\lambda2U^2+\frac{2G^2}{\lambda m}\ge\frac{2GU}{\sqrt m},\qquad\text{with equality at }
    \lambda=\frac{2G}{U\sqrt m} .
    $$

    So $\epsilon$ can be reached if and only if $m\ge(2GU/\epsilon)^2$. With the constant $4$ of the note in place of
    $2$ ({ref}`M86 <erratum-M86>`; the passage with $\lambda$ has a misprint besides, {ref}`M88 <erratum-M88>`) it would
    be $8\,(GU/\epsilon)^2$, twice as many, and that is also what one pass needs by Question 7. In the mean over samples
    even half of $2G^2/(\lambda m)$ is enough, up to a factor that tends to one ({prf:ref}`prop-expected-gap`).
    """
    m = max(1, int(np.ceil((2 * G * U / epsilon) ** 2 - 1e-9)))
    return m, 2 * G / (U * np.sqrt(m))
