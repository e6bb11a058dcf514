"""Model solutions of the homework on optimisation."""

import numpy as np

from mlcourse_homework.engine.question import solves


@solves("q1")
def verdict(phi, tau, c1, c2):
    r"""Two calls of `phi` give all four numbers. On a descent direction $\phi'(0)<0$, so the right side of the Armijo
    condition lies below $\phi(0)$, and the further below the longer the step. The curvature condition compares two
    slopes that are usually both negative: $\phi'(\tau)\ge c_2\phi'(0)$ says that at the end of the step the function
    falls less steeply. The strong form bounds the slope from above too, so it implies the curvature condition.
    """
    (start, slope0), (value, slope) = phi(0.0), phi(tau)
    armijo = value <= start + c1 * tau * slope0
    return armijo, slope >= c2 * slope0, abs(slope) <= c2 * abs(slope0)


@solves("q2")
def good_steps(a, b, c1, c2):
    r"""Let $\tau^*=-a/b$, the minimiser. Then

    $$
    \phi(\tau)-\phi(0)=a\tau\Big(1-\frac\tau{2\tau^*}\Big),\qquad\phi'(\tau)=a\Big(1-\frac\tau{\tau^*}\Big) .
    $$

    Divide by $a\tau<0$ and by $a<0$; both inequalities turn round. Armijo becomes $1-\frac\tau{2\tau^*}\ge c_1$, that
    is $\tau\le2(1-c_1)\,\tau^*$. Curvature becomes $1-\frac\tau{\tau^*}\le c_2$, that is $\tau\ge(1-c_2)\,\tau^*$. The
    strong form is $|1-\frac\tau{\tau^*}|\le c_2$, that is $(1-c_2)\,\tau^*\le\tau\le(1+c_2)\,\tau^*$. So the Wolfe
    steps are those between $(1-c_2)\,\tau^*$ and $2(1-c_1)\,\tau^*$, and for the strong ones the upper end is the
    smaller of $2(1-c_1)\,\tau^*$ and $(1+c_2)\,\tau^*$. Since $c_1<c_2<1$, $1-c_2<2(1-c_1)$: the interval is never
    empty. It contains $\tau^*$ if and only if $c_1\le\frac12$, as {prf:ref}`prop-exact-armijo` says.
    """
    best = -a / b
    return (1 - c2) * best, 2 * (1 - c1) * best, min(2 * (1 - c1), 1 + c2) * best


@solves("q3")
def descend(f, gradient, w, tol):
    r"""The inner loop ends: for small $\tau$ the decrease is nearly $\tau\|g\|^2$, and Armijo asks only for a part
    $c_1<1$ of it. Every step decreases $f$, so nothing explodes. The outer loop asks about the gradient. So it is
    entered whatever the value of $f$ is, and it does not wait for a value that $f$ never takes. If $f$ is $L$-smooth
    and bounded below it ends: each step decreases $f$ by at least $c_1\tau\|g\|^2$, the next question shows that
    $\tau$ does not become arbitrarily small, and so the squares $\|g\|^2$ have a finite sum. Mere decrease would not
    do: on $0.999999\,\|w\|^2$ the step $1$ turns $w$ into $-w$ but for a millionth or two, and decreases $f$. Mind
    `not ... <= ...`: where $f$ is nan every comparison is false, so the step is refused and halved.
    """
    g = gradient(w)
    while np.linalg.norm(g) > tol:
        tau = 1.0
        while not f(w - tau * g) <= f(w) - 1e-4 * tau * (g @ g):
            tau = tau / 2
        w = w - tau * g
        g = gradient(w)
    return w


@solves("q4")
def most_halvings(L, c1):
    r"""Let $g=\nabla f(w)\ne0$ and $p=-g$, so $\phi'(0)=-\|g\|^2$. By {prf:ref}`lem-descent`

    $$
    \phi(\tau)\le\phi(0)-\tau\Big(1-\frac{L\tau}2\Big)\|g\|^2 ,
    $$

    and the right side is at most $\phi(0)-c_1\tau\|g\|^2$ as soon as $1-\frac{L\tau}2\ge c_1$, that is
    $\tau\le\frac{2(1-c_1)}L$. So at the latest the first of the numbers $1,\frac12,\frac14,\dots$ that is not above
    this limit is accepted: $n$ halvings suffice if $2^{-n}\le\frac{2(1-c_1)}L$, and the least such $n\ge0$ is

    $$
    \max\Big(0,\Big\lceil\log_2\frac L{2(1-c_1)}\Big\rceil\Big) .
    $$

    It is attained. For $f(w)=\frac L2w^2$ the descent lemma is an equality, so Armijo holds if *and only if*
    $\tau\le\frac{2(1-c_1)}L$, and every longer trial is refused. So one never needs to know $L$: a halving costs one
    value of $f$, and their number grows like $\log_2L$ only. The accepted step is $1$, or it exceeds half the limit.
    """
    return max(0, int(np.ceil(np.log2(L / (2 * (1 - c1))))))


@solves("q5")
def best_steps(mu, L, n):
    r"""Let $P(\lambda)=\prod_j(1-\tau_j\lambda)$: the polynomials of degree at most $n$ with real zeros and $P(0)=1$.
    Put $x(\lambda)=\frac{2\lambda-L-\mu}{L-\mu}$, which maps $[\mu,L]$ to $[-1,1]$, and let $T_n(\cos\theta)=\cos
    n\theta$ be Chebyshev's polynomial. On $[-1,1]$ it takes the values $\pm1$ in turn at the $n+1$ points
    $\cos\frac{k\pi}n$, and never larger ones. So for

    $$
    P(\lambda)=\frac{T_n(x(\lambda))}{T_n(x(0))}\quad\text{the largest}\quad|P|\quad\text{on }[\mu,L]\text{ is}\quad
    \frac1{|T_n(x(0))|},\qquad|x(0)|=\frac{\kappa+1}{\kappa-1} .
    $$

    *No polynomial is better.* If $Q(0)=1$, the degree is at most $n$, and $|Q|$ stays below that number on $[\mu,L]$,
    then $P-Q$ has the sign of $P$ at those $n+1$ points. The signs alternate, so $P-Q$ has $n$ zeros between them,
    and one more at $0$: too many for its degree.

    The zeros of $P$ are $\lambda_j=\frac{L+\mu}2+\frac{L-\mu}2\cos\frac{(2j-1)\pi}{2n}$, inside $(\mu,L)$, and
    $\tau_j=1/\lambda_j$. For $n=1$ this is $\frac2{\mu+L}$. Since $T_n(x)\ge\frac12(x+\sqrt{x^2-1})^n$ for $x\ge1$,
    the factor is at most $2\big(\frac{\sqrt\kappa-1}{\sqrt\kappa+1}\big)^n$: the root of the condition number. And as
    conjugate gradients minimise $f$ over a space that contains the result of these $n$ steps, their gap
    $f(w_n)-f(w^*)=\frac12\sum_i\lambda_iq_i^2$, where the $q_i$ are the coordinates of $w_n-w^*$ along the
    eigenvectors, is at most the square of this factor times the first gap.
    """
    x = np.cos((2 * np.arange(1, n + 1) - 1) * np.pi / (2 * n))
    return 1 / ((L + mu) / 2 + (L - mu) / 2 * x)


@solves("q6")
def worst_start(H):
    r"""The exact step is $\tau=\frac{g\cdot g}{g^\top Hg}$, and $f(w)=\frac12g^\top H^{-1}g$. So one step gives

    $$
    \frac{f(w')}{f(w)}=1-\frac{(g\cdot g)^2}{(g^\top Hg)(g^\top H^{-1}g)} .
    $$

    *Kantorovich's inequality.* For every eigenvalue $(\lambda-\lambda_1)(\lambda_d-\lambda)\ge0$, that is
    $\lambda+\frac{\lambda_1\lambda_d}\lambda\le\lambda_1+\lambda_d$. In an orthonormal basis of eigenvectors this says
    $g^\top Hg+\lambda_1\lambda_d\,g^\top H^{-1}g\le(\lambda_1+\lambda_d)\,g\cdot g$. The product of two numbers is at
    most the square of half their sum, so

    $$
    (g^\top Hg)(g^\top H^{-1}g)\le\frac{(\lambda_1+\lambda_d)^2}{4\lambda_1\lambda_d}(g\cdot g)^2,\qquad
    \frac{f(w')}{f(w)}\le1-\frac{4\lambda_1\lambda_d}{(\lambda_1+\lambda_d)^2}=\Big(\frac{\kappa-1}{\kappa+1}\Big)^2 .
    $$

    *Attained.* For $g=v_1+v_d$ both inequalities are equalities. The step is $\frac2{\lambda_1+\lambda_d}$, and the new
    gradient $g-\tau Hg=r\,(v_1-v_d)$ with $r=\frac{\kappa-1}{\kappa+1}$ has equal parts again: every step is as bad.
    The start is $w=H^{-1}g=\frac{v_1}{\lambda_1}+\frac{v_d}{\lambda_d}$.
    """
    lam, V = np.linalg.eigh(H)
    return V[:, 0] / lam[0] + V[:, -1] / lam[-1]


@solves("q7")
def cg_steps(lam, b):
    r"""The answer is the number $k$ of *different* eigenvalues $\lambda_i$ with $b_i\ne0$.

    Let $K_t$ be the span of $b,Hb,\dots,H^{t-1}b$. As long as the gradients are not zero, the $t$ directions
    $p_0,\dots,p_{t-1}$ lie in $K_t$ and are independent, so they span it, and by {prf:ref}`thm-cg` and
    {prf:ref}`thm-conjugate-directions` $w_t$ minimises $f$ over $K_t$. A point of $K_t$ is $q(H)\,b$ with a polynomial
    $q$ of degree below $t$, and the gradient there is $-P(H)\,b$ with $P(\lambda)=1-\lambda q(\lambda)$. These $P$ are
    all polynomials of degree at most $t$ with $P(0)=1$. Coordinate $i$ of the gradient is $-P(\lambda_i)\,b_i$.

    *At most $k$ steps.* The polynomial $P(\lambda)=\prod(1-\lambda/\lambda_j)$ over the $k$ eigenvalues in question
    has degree $k$, is $1$ at zero, and makes all coordinates vanish. So $K_k$ contains a point with gradient zero, the
    minimiser of $f$; if the method has not stopped before, $w_k$ is this point.

    *At least $k$.* If the gradient at $w_t$ is zero, its $P$ vanishes at $k$ different numbers. Since $P(0)=1$, $P$ is
    not the zero polynomial, and so its degree is at least $k$; it is at most $t$.

    What holds for a diagonal matrix holds for every symmetric one, in the basis of its eigenvectors.
    """
    return len({value for value, part in zip(lam, b, strict=True) if part != 0})


@solves("q8")
def kept(g_new, g, p):
    r"""The condition reads $-\|g'\|^2+\beta\,g'\cdot p=\beta\,g\cdot p$, a linear equation for $\beta$:

    $$
    \beta=\frac{\|g'\|^2}{p\cdot(g'-g)} .
    $$

    Let $p$ descend, $g\cdot p<0$, and let the step satisfy the curvature condition, $g'\cdot p\ge c_2\,g\cdot p$. Then
    $p\cdot(g'-g)\ge(c_2-1)\,g\cdot p>0$. So $\beta>0$ if $g'\ne0$, and $g'\cdot p'=\beta\,g\cdot p<0$: the new
    direction descends. By induction all of them do, starting from $p_0=-g_0$, without any safeguard and whatever the
    function is. None of the other formulas promises this for every Wolfe step.

    On a quadratic with exact steps $g'\cdot p=0$ and $g\cdot p=-\|g\|^2$ ({prf:ref}`thm-cg`), so the denominator is
    $\|g\|^2$ and $\beta$ is Fletcher and Reeves' number, like the others of {prf:ref}`prop-betas`. The formula is due
    to Dai and Yuan (1999).
    """
    return g_new @ g_new / (p @ (g_new - g))


@solves("q9")
def newton_step(w, X, y, lam):
    r"""With $z_i=y_i\,w\cdot x_i$ the derivative of $\ln(1+e^{-z})$ is $-\sigma(-z)$, and its derivative is
    $\sigma(-z)\,(1-\sigma(-z))=\sigma'(z)$. By the chain rule, with $y_i^2=1$,

    $$
    g=-\frac1m\sum_iy_i\,\sigma(-z_i)\,x_i+\lambda w,\qquad H=\frac1m\sum_i\sigma'(z_i)\,x_ix_i^\top+\lambda I,
    \qquad s=-H^{-1}g .
    $$

    *Without a penalty units do not matter.* Let $A$ be invertible and $w=Av$. As a function of $v$ the risk is
    $F(Av)$, and for $\lambda=0$ this is the risk of the data matrix $XA$. Its gradient is $A^\top g$ and its Hessian
    $A^\top HA$, so its Newton step is $-(A^\top HA)^{-1}A^\top g=A^{-1}s$: the same step, written in the new
    coordinates. A gradient step becomes $-\tau A^\top g$, which in the old coordinates is $-\tau AA^\top g$: another
    direction altogether. With $\lambda>0$ the penalty must be carried along, as $\frac\lambda2\|Av\|^2$; to penalise
    $\|v\|^2$ is another problem.
    """
    sigma = 1 / (1 + np.exp(y * (X @ w)))
    g = -X.T @ (y * sigma) / len(y) + lam * w
    H = (X * (sigma * (1 - sigma))[:, None]).T @ X / len(y) + lam * np.eye(len(w))
    return -np.linalg.solve(H, g)
