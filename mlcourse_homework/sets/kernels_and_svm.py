"""Homework: kernels and support vector machines, from a Gram matrix to a machine that certifies itself."""

import itertools
from collections.abc import Collection

import numpy as np

from mlcourse.models.kernels.functions import GaussianKernel
from mlcourse.models.kernels.svm import SVM
from mlcourse.models.kernels.svm_dual import dual_objective, duality_gap, primal_objective
from mlcourse_homework.engine.answers import NotAttempted, array, brief, close, for_all, require, requiring, show, two
from mlcourse_homework.engine.properties import agree, finite, shape_of, single
from mlcourse_homework.engine.question import Homework

homework = Homework(
    "kernels_and_svm",
    "Kernels and support vector machines",
    r"""A table of similarities between examples, and nothing else: no coordinates, no picture. How much can be learned
    from it? Almost everything. You can measure distances and find means in a space that you never enter, fit a
    regression there, and lay the widest street between two classes. In this homework you convict false kernels, repair
    a formula, put two numbers around the best margin, and build a support vector machine from scratch, twenty lines in
    all. It also proves that its answer is right, so that nobody has to trust it.

    The homework follows lectures 18 to 20 of the Milan notes and the Paris slides on kernels and on support vector
    machines, with one fact from Vayatis. It goes with {doc}`../kernels` (questions 1 to 4) and {doc}`../svm` (questions
    5 to 9). Take two evenings.""",
    imports="import numpy as np",
)
progress = homework.progress
norm = np.linalg.norm
suspects = {  # functions of two positive numbers, or of arrays of them
    "shifted": lambda x, z: (x * z - 1) ** 2,
    "power": lambda x, z: (x * z + 1) ** 1.5,
    "box": lambda x, z: np.where(np.abs(x - z) <= 1, 1.0, 0.0),
    "tent": lambda x, z: np.maximum(0, 1 - np.abs(x - z)),
    "bell": lambda x, z: np.exp(-((x - z) ** 4)),
    "cauchy": lambda x, z: 1 / (1 + (x - z) ** 2),
    "ratio": lambda x, z: np.minimum(x, z) / np.maximum(x, z),
    "gcd": lambda x, z: np.gcd(np.asarray(x, int), np.asarray(z, int)),
    "lcm": lambda x, z: np.lcm(np.asarray(x, int), np.asarray(z, int)),
}
ENOUGH = {"shifted": 2, "power": 4, "box": 3, "bell": 3, "lcm": 2}  # so many points convict these


def sample(rng, m, d=2):
    """Points that overlap and their labels, half of them negative; few points have integer coordinates."""
    y = rng.permutation(np.where(np.arange(m) % 2, -1, 1))
    X = rng.normal(size=(m, d)) + 0.7 * y[:, None]
    return np.round(X) if m <= 3 else X, y


def both(y):
    """Whether both labels occur."""
    return y.min() < 0 < y.max()


def feasible(r, y, C):
    """Dual variables in [0, C] with sum_i alpha_i y_i = 0, from numbers r in [0, 1]."""
    alpha = C * np.clip(r, 0, 1)
    plus, minus = alpha[y > 0].sum(), alpha[y < 0].sum()
    return alpha * min(plus, minus) / np.maximum(np.where(y > 0, plus, minus), 1e-300)


def told(X, K, kernel="X X^T", **others):
    """What a function of a Gram matrix was given; if the matrix is too large to be shown, the points are."""
    too_large = brief(K).startswith("an array")
    return f"K = {kernel} with {show(X=X, **others)}" if too_large else show(K=K, **others)


@homework.question(
    "Is it a kernel?",
    r"One or two points often do: a kernel has $k(x,x)\ge0$ and $k(x,z)^2\le k(x,x)\,k(z,z)$. If they do not, try "
    "three or four, equally spaced.",
    "To show that something is a kernel, find features: the length of the overlap of two intervals is an inner "
    "product, and so is the number of common divisors. Products, sums and averages of kernels are kernels.",
    "`bell`: take $x-h,x,x+h$ with the coefficients $1,-2,1$. `power`: which coefficient of the series of "
    "$(1+t)^{3/2}$ is the first to be negative? In all, four of the nine are kernels.",
    kind="value",
    stub="""verdicts = {
    "shifted": ..., "power": ..., "box": ..., "tent": ..., "bell": ...,
    "cauchy": ..., "ratio": ..., "gcd": ..., "lcm": ...,
}""",
    example="""points = np.array([1.0, 2.0, 3.0])
np.linalg.eigvalsh(hw.suspects["tent"](points[:, None], points))""",
)
def q1(answer):
    r"""A symmetric function $k(x,z)$ is a kernel if none of its Gram matrices, $K_{ij}=k(x_i,x_j)$, has a negative
    eigenvalue ({prf:ref}`def-kernel`). Then it is an inner product of features, and everything below works. If it is
    not, a few points are enough to convict it. Plausible looks do not help: slides that list families of kernels and
    forget the conditions list false ones, too ({ref}`P30 <erratum-P30>`). Here are nine functions of two positive
    numbers, the last two of positive whole numbers.

    | name | $k(x,z)$ |
    |---|---|
    | `shifted` | $(xz-1)^2$ |
    | `power` | $(xz+1)^{3/2}$ |
    | `box` | $1$ if $\lvert x-z\rvert\le1$, else $0$ |
    | `tent` | $\max\{0,1-\lvert x-z\rvert\}$ |
    | `bell` | $e^{-(x-z)^4}$ |
    | `cauchy` | $1/(1+(x-z)^2)$ |
    | `ratio` | $\min\{x,z\}/\max\{x,z\}$ |
    | `gcd` | the greatest common divisor |
    | `lcm` | the least common multiple |

    Give a verdict on each: `None` if it is a kernel, otherwise a list of points whose Gram matrix has a negative
    eigenvalue (at most 100 points, none above 1000). To stand out from rounding, it must lie below $-10^{-13}$ times
    the largest eigenvalue in absolute value. The check cannot see a proof, so be your own judge: for every `None`, find
    the features. The functions are in `hw.suspects`; this is how to try some points."""
    require(isinstance(answer, dict), f"a dictionary from names to points or None is expected, got {answer!r}.")
    if answer and all(points is ... for points in answer.values()):
        raise NotAttempted
    for name, k in suspects.items():
        points = answer.get(name, ...)
        require(points is not ..., f"nothing is said about {name}.")
        if points is None:
            require(name not in ENOUGH, f"{name} is no kernel: {ENOUGH.get(name)} points are enough to show it.")
            continue
        listed = isinstance(points, Collection) and not isinstance(points, (str, bytes)) and getattr(points, "ndim", 1)
        require(listed and 0 < len(points) <= 100, f"{name}: give None for a kernel, or a list of 1 to 100 points.")
        points = np.array([finite(x, (), f"{name}: each point") for x in points])
        require(((points > 0) & (points <= 1000)).all(), f"{name}: the points should be positive and at most 1000.")
        require(name not in ("gcd", "lcm") or (points % 1 == 0).all(), f"{name} is about whole numbers.", points)
        eigenvalues = np.linalg.eigvalsh(k(points[:, None], points))
        least, largest = eigenvalues[0], np.abs(eigenvalues).max()
        why = "Are there others, or is it a kernel?"
        if least < 0:
            why = "The smallest eigenvalue is so close to zero that it may be rounding: it counts as negative below "
            why += f"-1e-13 times {largest:.3g}, the largest in size."
        got = f"a smallest eigenvalue of {least:.3g}"
        require(least < -1e-13 * largest, f"{name}: these points do not convict it. {why}", points, got)
    return "four are kernels, and your points convict the other five."


@q1.solved_by
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
    the slides say neither ({ref}`P30 <erratum-P30>`)."""
    false = {"shifted": [1, 2], "power": [1, 2, 3, 4], "box": [1, 2, 3], "bell": [1, 1.5, 2]}
    return false | {"lcm": [1, 2]} | dict.fromkeys(("tent", "cauchy", "ratio", "gcd"))


@homework.question(
    "The term that was forgotten",
    r"$(x\cdot z+c)^2=(x\cdot z)^2+2c\,x\cdot z+c^2$. Each of the three parts is an inner product of features.",
    r"$2c\,x\cdot z$ needs $d$ features, $\sqrt{2c}\,x_j$ for every $j$.",
    r"$(x\cdot z)^2=\sum_jx_j^2z_j^2+2\sum_{i<j}x_ix_j\,z_iz_j$: a square for every $j$, and for every pair a product "
    "with a root of two.",
)
def q2(answer):
    r"""For $x,z\in\mathbb{R}^d$ and $c\ge0$ the polynomial kernel of degree two is $(x\cdot z+c)^2$. The Milan notes
    expand it for $d=2$ and $c=1$ and print

    $$
    1+x_1^2z_1^2+x_2^2z_2^2+2x_2z_2+2x_1x_2z_1z_2 .
    $$

    At $x=z=(1,1)$ the kernel is $9$, and this is $7$. Something was forgotten; find it before you look it up
    ({ref}`M75 <erratum-M75>`). Then write `quadratic_features(X, c)` for every dimension. `X` has shape $(m,d)$, a
    point in each row. Return a matrix with the features $\phi(x)$ of each point in its row, such that
    $\phi(x)\cdot\phi(z)=(x\cdot z+c)^2$ for all $x$ and $z$. One feature for each monomial is enough: use at most
    $\binom{d+2}2$ columns, in any order."""
    rng = np.random.default_rng(2)

    def features(X, c):
        (m, d), value = X.shape, answer(X, c)
        shape, most = shape_of(value), (d + 1) * (d + 2) // 2
        fits = shape and len(shape) == 2 and shape[0] == m and 0 < shape[1] <= most
        wanted = f"for {m} points of dimension {d} a matrix with {m} rows and at most {most} columns"
        require(fits, f"{wanted} is expected, got {f'shape {shape}' if shape else repr(value)}.")
        return finite(value, shape, "the matrix of features", show(X=X, c=c))

    def products(X, Z, c):
        phi, psi = features(X, c), features(Z, c)
        require(phi.shape[1] == psi.shape[1], "the number of your features should not depend on the points.")
        return phi @ psi.T

    def culprit(d, c):
        """The first term of the expansion with a wrong coefficient."""
        X, Z = rng.normal(size=(2, 12, d))
        u, pairs = (X[:, None] * Z).reshape(-1, d), itertools.combinations(range(d), 2)
        terms = {f"2c x_{j + 1} z_{j + 1}": 2 * c * u[:, j] for j in range(d) if c}
        terms |= {f"x_{j + 1}^2 z_{j + 1}^2": u[:, j] ** 2 for j in range(d)} | {"c^2": c**2 + 0 * u[:, 0]}
        terms |= {f"2 x_{i + 1} x_{j + 1} z_{i + 1} z_{j + 1}": 2 * u[:, i] * u[:, j] for i, j in pairs}
        A, got = np.column_stack(list(terms.values())), products(X, Z, c).ravel()
        found = np.linalg.lstsq(A, got)[0]
        wrong = [(name, f) for name, f in zip(terms, found, strict=True) if abs(f - 1) > 1e-4 and (c or name != "c^2")]
        if not wrong or not np.allclose(A @ found, got, atol=1e-4):
            return ""
        name, f = wrong[0]
        return f": the term {name} " + ("is missing" if abs(f) < 1e-4 else f"has {f:.3g} times its coefficient")

    def holds(X, Z, c):
        got, want = products(X, Z, c), (X @ Z.T + c) ** 2
        lengths = [(A**2).sum(axis=1) + c for A in (X, Z)]  # of phi(x) and phi(z)
        right = (np.abs(got - want) <= 1e-6 * (1 + np.outer(*lengths))).all()
        why = "" if right else culprit(X.shape[1], c)
        require(right, f"the inner products of your features are not (x.z + c)^2{why}.", show(x=X, z=Z, c=c), got, want)

    sizes = [(1, 1), (1, 2), (2, 2), (3, 2), (5, 3), (4, 5)]
    for_all([(*rng.integers(-3, 4, (2, m, d)).astype(float), c) for m, d in sizes for c in (1.0, 2.0, 0.0, 0.5)], holds)
    return "the inner products are (x.z + c)^2, with one feature for each monomial."


@q2.solved_by
def quadratic_features(X, c):
    r"""Expand the square, and in it the square of $x\cdot z=\sum_jx_jz_j$:

    $$
    (x\cdot z+c)^2=c^2+\sum_j2c\,x_jz_j+\sum_jx_j^2z_j^2+\sum_{i<j}2\,x_ix_j\,z_iz_j .
    $$

    Each term is the product of two equal factors, one of $x$ and one of $z$: the features are $c$, $\sqrt{2c}\,x_j$,
    $x_j^2$ and $\sqrt2\,x_ix_j$ with $i<j$, in number $1+d+d+\frac{d(d-1)}2=\binom{d+2}2$. At $x=z=(1,1)$ and $c=1$
    the kernel is $9$; the printed terms give $1+1+1+2+2=7$. What is missing is $2x_1z_1$ ({ref}`M75 <erratum-M75>`)."""
    i, j = np.triu_indices(X.shape[1], 1)
    mixed = np.sqrt(2) * X[:, i] * X[:, j]
    return np.hstack([np.full((len(X), 1), c), np.sqrt(2 * c) * X, X**2, mixed])


@homework.question(
    "Near which mean?",
    r"The mean of a class is $\sum_ja_j\phi(x_j)$ with $a_j=1/m_c$ for its $m_c$ members and $a_j=0$ for the others.",
    r"Expand $\|\phi(x_i)-\sum_ja_j\phi(x_j)\|^2$ into three inner products.",
    r"They are $K_{ii}$, the $i$-th entry of $Ka$, and $a^\top Ka$.",
)
def q3(answer):
    r"""Now forget the features. There are $m$ examples with labels $y_i\in\{-1,+1\}$, both of which occur, and all you
    know of the points is their Gram matrix $K$: $K_{ij}=\phi(x_i)\cdot\phi(x_j)$ for some feature map $\phi$. Let
    $\mu_-$ be the mean of the features of the negative examples and $\mu_+$ that of the positive ones. The simplest
    classifier goes to the nearer mean. Can it be computed? Write `class_distances(K, y)`, which returns a matrix of
    shape $(m,2)$: in row $i$ stand the squared distances $\|\phi(x_i)-\mu_-\|^2$ and $\|\phi(x_i)-\mu_+\|^2$, in this
    order."""
    rng = np.random.default_rng(3)

    def holds(phi, y):
        means = np.array([phi[y == c].mean(axis=0) for c in (-1, 1)])
        want = ((phi[:, None] - means) ** 2).sum(axis=2)
        slips = {
            "the squared length of the mean is left out": want - (means**2).sum(axis=1),
            "the columns are exchanged: class -1 comes first": want[:, ::-1],
            "these are distances, not their squares": np.sqrt(want),
            "the product with the mean must be taken twice": want + phi @ means.T,
        }
        agree(answer(phi @ phi.T, y), want, "the matrix of squared distances", slips, show(features=phi, y=y))

    sizes = np.repeat([(2, 1), (2, 2), (3, 2), (4, 1), (7, 3), (20, 4)], 3, axis=0)
    labels = (np.where(np.arange(m) % 3, 1, -1) for m, _ in sizes)
    drawn = [(rng.integers(-3, 4, size) + 0.0, rng.permutation(y)) for size, y in zip(sizes, labels, strict=True)]
    for_all(drawn, holds, lambda phi, y: both(y))
    return "the distances are those of the features themselves: a classifier that knows nothing but K."


@q3.solved_by
def class_distances(K, y):
    r"""The mean of class $c$ is $\sum_ja_j\phi(x_j)$ with $a_j=\mathbf 1\{y_j=c\}/m_c$. Inner products of such sums
    are sums of entries of $K$, so

    $$
    \Big\|\phi(x_i)-\sum_ja_j\phi(x_j)\Big\|^2=K_{ii}-2\,(Ka)_i+a^\top Ka .
    $$

    For the distance of two points take a class with one member. The rule "go to the nearer mean" compares the two
    columns; $K_{ii}$ cancels, and what remains is linear in feature space with weights $\mu_+-\mu_-$."""
    columns = []
    for c in (-1, 1):
        a = (y == c) / np.sum(y == c)
        columns.append(np.diag(K) - 2 * K @ a + a @ K @ a)
    return np.column_stack(columns)


@homework.question(
    "Ridge regression with a bias",
    "Let $r_i=y_i-f(x_i)-b$. Set two derivatives to zero: with respect to $b$, and with respect to $f$, where "
    r"$f(x_i)$ has the derivative $k(x_i,\cdot)$.",
    r"$\sum_ir_i=0$, and $\lambda f=\frac2m\sum_ir_ik(x_i,\cdot)$, which holds if $a=\frac2{\lambda m}r$.",
    r"$(K+\frac{\lambda m}2I)\,a+b\,\mathbf 1=y$ and $\mathbf 1^\top a=0$: one system of $m+1$ equations.",
    returns="a, b",
    proof=True,
)
def q4(answer):
    r"""Let the targets $y_i$ be real numbers. Ridge regression in the space of a kernel looks for a function $f$ of
    that space and a bias $b\in\mathbb{R}$ that minimise

    $$
    \frac1m\sum_{i=1}^m\bigl(y_i-f(x_i)-b\bigr)^2+\frac\lambda2\|f\|^2,\qquad\lambda>0 .
    $$

    The bias costs nothing, as it should: adding a constant to all targets must not change $f$. The representer theorem
    (Vayatis admits it, {prf:ref}`thm-representer` proves it) says that $f=\sum_ja_jk(x_j,\cdot)$, so $f(x_i)=(Ka)_i$
    and $\|f\|^2=a^\top Ka$. Prove what $a$ and $b$ must satisfy, and write `ridge(K, y, lam)`, which returns the pair
    `a, b`. If $K$ is singular several $a$ give the same $f$, and any of them will do. The check looks at both
    derivatives, and compares with ridge regression on the features themselves."""
    rng = np.random.default_rng(4)

    def holds(phi, y, lam):
        (m, n), K, size = phi.shape, phi @ phi.T, 1e-4 * (1 + np.abs(y).max())
        (a, b), tried = two(answer(K, y, lam), "(a, b)"), show(features=phi, y=y, lam=lam)
        a, b = finite(a, (m,), "a", tried), finite(single(b), (), "b", tried)
        r = y - K @ a - b
        zero = "the derivative with respect to b is not zero: the residuals y - K a - b should have mean zero."
        require(abs(r.mean()) < size, zero, tried, f"a mean of {r.mean():.4g}, with {show(a=a, b=b)}")
        v, times = r - lam * m / 2 * a, r @ a / max(a @ a, 1e-300)
        multiple = f", and the residuals are {times:.4g} times a" * np.allclose(r, times * a, rtol=1e-4, atol=size)
        flat = "the gradient with respect to f is not zero: K times (residuals - lam m / 2 times a) should be zero."
        should = f"zero; so it is if the residuals are {lam * m / 2:.4g} times a"
        require(norm(phi.T @ v) < m / 2 * size, flat, tried, f"{brief(K @ v)}{multiple}", should)
        A = np.column_stack([phi, np.ones(m)])
        system = np.vstack([A, np.sqrt(lam * m / 2) * np.eye(n + 1)[:-1]])
        w = np.linalg.lstsq(system, np.append(y, np.zeros(n)))[0]
        close(K @ a + b, A @ w, "the vector of fitted values", tried, rtol=1e-4, atol=size)

    drawn = [
        (rng.integers(-2, 3, (m, d)).astype(float), rng.integers(-3, 4, m) + 1.0, lam)
        for m, d in ((1, 1), (2, 1), (3, 2), (6, 3), (12, 20))
        for lam in (1.0, 0.1, 4.0)
    ]
    for_all(drawn, holds)
    return "both derivatives vanish, and the fitted values are those of ridge regression on the features themselves."


@q4.solved_by
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
    the same reason.)"""
    m, ones = len(y), np.ones((len(y), 1))
    system = np.block([[K + lam * m / 2 * np.eye(m), ones], [ones.T, np.zeros((1, 1))]])
    solution = np.linalg.solve(system, np.append(y, 0))
    return solution[:-1], solution[-1]


@homework.question(
    "Two numbers around the best margin",
    "From below: the smallest distance of an example to the hyperplane at hand. Doubling $(w,b)$ must not change it.",
    r"From above: let the unit vector $u$ and $b$ have margin $\rho$. Multiply $y_i(u\cdot x_i+b)\ge\rho$ by "
    r"$\alpha_i$ and add over all examples. What happens to $b$?",
    r"$\rho\sum_i\alpha_i\le u\cdot v\le\|v\|$.",
    returns="lower, upper",
    proof=True,
)
def q5(answer):
    r"""From here on we classify. Let the sample, points $x_i\in\mathbb{R}^d$ in the rows of `X` and labels
    $y_i\in\{-1,+1\}$, be separable, with both labels. The best margin $\rho^*$ is the largest $\rho$ for which some
    unit vector $u$ and some $b$ have $y_i(u\cdot x_i+b)\ge\rho$ for all $i$. Finding it takes a solver. But suppose
    that somebody hands you two things: a hyperplane, $w\ne0$ and $b$ with $y_i(w\cdot x_i+b)>0$ for all $i$; and
    numbers $\alpha_i\ge0$, not all zero, with $\sum_i\alpha_iy_i=0$. Nobody claims that they are the best.

    The hyperplane bounds $\rho^*$ from below, by its own margin. Mind that $w$ may have any length. The numbers bound
    $\rho^*$ from above. Let $v=\sum_i\alpha_iy_ix_i$; prove an upper bound that depends on $\|v\|$ and $\sum_i\alpha_i$
    alone, the best such bound. Write `margin_bounds(w, b, alpha, X, y)`, which returns the pair `lower, upper`. When
    the two numbers meet, both guesses were optimal."""
    rng = np.random.default_rng(5)

    def bounds(*arguments):
        pair = two(answer(*arguments), "(lower, upper)")
        return [float(finite(bound, (), "each part of (lower, upper)")) for bound in pair]

    def instance(X, r, w, b):
        y = np.where(X @ w + b > 0, 1, -1)
        return w, b, feasible(r, y, 2.0), X, y

    def valid(X, r, w, b):
        apart = len(w) == X.shape[1] and w.any() and (np.abs(X @ w + b) > 1e-6).all()
        return apart and instance(X, r, w, b)[2].any()

    def holds(*numbers):
        w, b, alpha, X, y = instance(*numbers)
        own, tried = bounds(w, b, alpha, X, y), show(w=w, b=b, alpha=alpha, X=X, y=y)
        for name, doubled in (("(w, b)", (2 * w, 2 * b, alpha)), ("alpha", (w, b, 2 * alpha))):
            for which, one, other in zip(("lower", "upper"), own, bounds(*doubled, X, y), strict=True):
                changed = f"doubling {name} changes your {which} bound"
                unlike = f"{changed}, but nothing about the sample or the hyperplane."
                require(np.isclose(one, other, rtol=1e-5), unlike, tried, f"{one:.6g}, and then {other:.6g}")
        length, total, (lower, upper) = norm((alpha * y) @ X), alpha.sum(), own
        margin, least = (y * (X @ w + b)).min() / norm(w), length / total
        exchanged = np.allclose([upper, lower], [margin, least]) and not np.isclose(margin, least)
        require(not exchanged, "the two bounds are exchanged: lower comes first, then upper.", tried, own)
        close(lower, margin, "the margin of (w, b)", tried)
        tried += f"; ||v|| = {length:.4g}, sum of alpha = {total:.4g}"
        false = "this is not an upper bound for every sample with this ||v|| and this sum of alpha."
        pair = f"two points at distance {2 * least:.4g}, with equal alpha, have both, and their best margin is half the"
        require(upper >= least * (1 - 1e-6) - 1e-9, false, tried, upper, f"{pair} distance")
        large = "this bound holds here, but a smaller one follows from ||v|| and the sum of alpha."
        require(upper <= least * (1 + 1e-6) + 1e-9, large, tried, upper)

    few = [(np.array([[0.0], [2 * h]]), np.ones(2), np.array([s]), -s * h) for h in (2.0, 1.0, 0.5) for s in (1.0, 3.0)]
    drawn = [
        (rng.integers(-3, 4, (m, d)) + 0.5, rng.random(m), rng.integers(1, 4, d) + 0.0, rng.integers(-2, 3) + 0.25)
        for m, d in ((2, 2), (3, 1), (3, 2), (6, 2), (10, 3), (20, 4))
        for _ in range(5)
    ]
    for_all([numbers for numbers in few + drawn if valid(*numbers)], holds, valid)
    return "a true bound from each side, each the best of its kind; at the widest street they meet."


@q5.solved_by
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
    $\rho^*$ if $(w,b)$ and $\alpha$ are solutions."""
    lower = (y * (X @ w + b)).min() / np.linalg.norm(w)
    upper = np.linalg.norm((alpha * y) @ X) / alpha.sum()
    return lower, upper


@homework.question(
    "Who is to blame for the gap?",
    r"$\|w\|^2=\sum_i\alpha_iy_i\,w\cdot\phi(x_i)$. Add $b\sum_i\alpha_iy_i=0$: it is $\sum_i\alpha_iz_i$.",
    r"So $P-W=\|w\|^2+C\sum_i[1-z_i]_+-\sum_i\alpha_i$ is a sum over the examples.",
    r"$s_i=\alpha_i(z_i-1)+C\,[1-z_i]_+$. Look at $z_i\ge1$ and $z_i<1$ one after the other.",
    proof=True,
)
def q6(answer):
    r"""Without separability some examples must stand on the street, at a price $C>0$ for a unit of slack. Let
    $0\le\alpha_i\le C$ with $\sum_i\alpha_iy_i=0$, let $w=\sum_i\alpha_iy_i\phi(x_i)$ and let $b$ be any number. With
    the signed scores $z_i=y_i(w\cdot\phi(x_i)+b)$ the primal and the dual objective are

    $$
    P=\frac12\|w\|^2+C\sum_i[1-z_i]_+,\qquad W=\sum_i\alpha_i-\frac12\sum_{i,j}\alpha_i\alpha_jy_iy_jK_{ij} .
    $$

    $P-W$ is never negative, and zero exactly if $\alpha$ solves the dual and $(w,b)$ the primal problem. A single
    number says *that* something is wrong. It is better to know *who* is wrong: show that $P-W=\sum_is_i$, where the
    share $s_i$ of example $i$ is never negative and depends on $\alpha_i$, $z_i$ and $C$ alone. Write
    `gap_shares(alpha, b, K, y, C)`, which returns all $m$ shares. (Without a bias the equation is dropped and $b=0$;
    the same shares must do.)

    When is $s_i=0$? You will find three cases. The Paris slides print the condition $z_i-1+\xi_i\le0$ with the slack
    $\xi_i=[1-z_i]_+$; compare, and then read {ref}`P26 <erratum-P26>`."""
    rng = np.random.default_rng(6)

    def holds(X, y, r, b, C, equation):
        K, alpha = X @ X.T, feasible(r, y, C) if equation else C * np.clip(r, 0, 1)
        z = y * (K @ (alpha * y) + b)
        tried = f"{told(X, K, alpha=alpha, b=b, y=y, C=C)}, so z = {brief(z)}"
        got = finite(answer(alpha, b, K, y, C), y.shape, "the vector of shares", tried)
        want, *slips = (alpha * (z - 1) + C * np.maximum(1 - z, 0) for z in (z, z - b * y, z - 2 * b * y))
        size, need = 1e-6 * (1 + want.max()), requiring(tried, got)
        for slip, name in zip(slips, ("does not contain b", "contains -b"), strict=True):
            same = np.abs(got - slip).max() < size < np.abs(got - want).max()
            need(not same, f"your z_i {name}: it is y_i (w.phi(x_i) + b).", want)
        need((got >= -size).all(), "no share should be negative.")
        P, W, total = primal_objective(alpha, b, K, y, C), dual_objective(alpha, K, y), got.sum()
        right, gap = abs(total - (P - W)) < size * len(y), f"P - W = {P:.6g} - {W:.6g} = {P - W:.6g}"
        require(right, "the shares should add up to P - W.", tried, f"{brief(got)}, together {total:.6g}", gap)
        i = int(np.abs(got - want).argmax())
        alone = f"a share should depend on alpha_i, z_i and C alone: look at example {i}."
        need(abs(got - want)[i] < size, f"they add up to the gap, but {alone}", want)

    drawn = [
        (*sample(rng, m, 1 + m // 3), rng.choice([0, 0.4, 1.0], m), rng.integers(-2, 3) * 0.5, C, True)
        for m in (2, 2, 3, 5, 8, 15)
        for C in (1.0, 0.25, 3.0)
    ]
    without = [(*sample(rng, m), rng.random(m), 0.0, 2.0, False) for m in (1, 3, 8)]
    for_all(drawn + without, holds)
    for C in (0.3, 5.0):
        (X, y), kernel = sample(rng, 20), GaussianKernel(0.5)
        model = SVM(C, kernel, tol=1e-9).fit(X, y)
        most = np.abs(finite(answer(model.alpha_, model.b_, kernel(X), y, C), y.shape, "the vector of shares")).max()
        require(most < 1e-5, f"at a solution for C = {C} all shares are zero, yours are up to {most:.3g}.")
    return "they add up to the gap, none is negative, and at a solution all are zero."


@q6.solved_by
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
    forbid every example outside the street; it must be $\ge0$ ({ref}`P26 <erratum-P26>`)."""
    z = y * (K @ (alpha * y) + b)
    return alpha * (z - 1) + C * np.maximum(1 - z, 0)


@homework.question(
    "Two at a time",
    r"Let $\beta_i=y_i\alpha_i$. The equation is $\sum_i\beta_i=0$: raise $\beta_i$ and lower $\beta_j$ by the same "
    "$s$, which may be negative.",
    r"$W$ changes by $s(g_i-g_j)-\frac12s^2D$, with $g=y-K\beta$ and $D=K_{ii}+K_{jj}-2K_{ij}$: a parabola, with its "
    "top at $s=(g_i-g_j)/D$.",
    r"The box leaves an interval of $s$: $\beta_i+s$ and $\beta_j-s$ stay in $[0,C]$ or $[-C,0]$, according to the "
    "label. Cut $s$ off at its ends. If $D=0$ the parabola is a line: go to an end.",
)
def q7(answer):
    r"""To maximise $W$ we would like to change one $\alpha_i$ at a time, but the equation $\sum_i\alpha_iy_i=0$ forbids
    it. Two can move. Write `pair_step(alpha, i, j, K, y, C)`: `alpha` is feasible, $0\le\alpha_k\le C$ for all $k$ and
    $\sum_k\alpha_ky_k=0$, and $i\ne j$ are two indices, counted from $0$. Return a new array in which only entries $i$
    and $j$ differ, which is still feasible, and whose $W$ is the largest possible. The pair may have equal or different
    labels. It may be unable to gain anything. And two points may coincide, so that $K_{ii}+K_{jj}-2K_{ij}=0$. If
    several are best, any of them will do. The check tries two thousand other moves of your pair."""
    rng = np.random.default_rng(7)

    def holds(X, y, r, C, n):
        m, K, alpha = len(y), X @ X.T, feasible(r, y, C)
        i, j = n % m, (n + 1 + n // m % (m - 1)) % m  # any two, by a number
        tried, coincide = told(X, K, alpha=alpha, i=i, j=j, y=y, C=C), bool(K[i, i] + K[j, j] == 2 * K[i, j])
        why = " The two points coincide: K_ii + K_jj - 2 K_ij = 0, and 0/0 is no number." * coincide
        new = finite(answer(alpha, i, j, K, y, C), (m,), "the new alpha", tried, why) + 0.0
        need = requiring(tried, f"alpha = {brief(new)}")
        need(np.allclose(np.delete(new - alpha, [i, j]), 0, atol=1e-6 * C), "only alpha_i and alpha_j may change.")
        rule = "the two move together if the labels differ, and against each other if they agree."
        need(abs((new - alpha) @ y) < 1e-6 * C, f"the sum of alpha_i y_i has changed: {rule}")
        need(((new >= -1e-6 * C) & (new <= C * (1 + 1e-6))).all(), f"alpha has left the box [0, {C:g}].")
        line = alpha + np.linspace(-C, C, 2001)[:, None] * (y[i] * np.eye(m)[i] - y[j] * np.eye(m)[j])
        inside = ((line > -1e-12) & (line < C + 1e-12)).all(axis=1)
        line = np.clip(line[inside], 0, C)  # all moves that are allowed, on a grid
        values = line.sum(axis=1) - np.einsum("ti,ij,tj->t", line * y, K, line * y) / 2
        best, value, before = values.argmax(), dual_objective(new, K, y), dual_objective(alpha, K, y)
        got = f"alpha_i = {new[i]:.4g} and alpha_j = {new[j]:.4g} with W = {value:.6g}"
        better = f"alpha_i = {line[best, i]:.4g} and alpha_j = {line[best, j]:.4g} have W = {values[best]:.6g}"
        need, should = requiring(tried, got), f"{better}; before the move W = {before:.6g}"
        need(value > before - 1e-6 * (1 + abs(before)), "your move makes W smaller.", should)
        need(value > values[best] - 1e-6 * (1 + abs(value)), "another move that is allowed gains more.", should)

    drawn = [
        (*sample(rng, m), rng.choice([0, 0.3, 1.0], m), C, n)
        for m in (2, 2, 3, 3, 4, 6, 10)
        for C in (1.0, 0.25, 4.0)
        for n in (0, rng.integers(m * (m - 1)))
    ]
    small = [(0.05 * X, y, r, 100.0, n) for X, y, r, C, n in drawn[-18:]]  # the parabola is flat, and the box large
    equal = [(np.ones((2, 1)), np.array([1, -1]), np.zeros(2), 1.0, n) for n in (0, 1)]
    equal += [(np.ones((3, 1)), np.array([1, 1, -1]), np.array([0.5, 0, 0.5]), 1.0, n) for n in range(6)]
    for_all(drawn + small + equal, holds, lambda X, y, r, C, n: len(y) > 1)
    return "the constraints are kept, and no other move of the two has a larger W."


@q7.solved_by
def pair_step(alpha, i, j, K, y, C):
    r"""Let $\beta=\alpha y$ and $e$ have $+1$ at $i$, $-1$ at $j$. Moving along $e$ keeps $\sum_i\beta_i$, and
    $W(\beta+se)=W(\beta)+s(g_i-g_j)-\frac12s^2D$ with $g=y-K\beta$, $D=e^\top Ke=K_{ii}+K_{jj}-2K_{ij}\ge0$. This
    parabola has its top at $s=(g_i-g_j)/D$; on an interval the best point is the top, or the end nearest to it. The
    interval: with $[l,h]=[0,C]$ for a positive and $[-C,0]$ for a negative example, $l_i\le\beta_i+s\le h_i$ and
    $l_j\le\beta_j-s\le h_j$. If $D=0$ (the points coincide in feature space) $W$ is linear in $s$; a tiny number in
    place of $D$ sends $s$ to the end that lies uphill."""
    beta, low, high = alpha * y, np.minimum(0, C * y), np.maximum(0, C * y)
    g, D = y - K @ beta, K[i, i] + K[j, j] - 2 * K[i, j]
    least = max(low[i] - beta[i], beta[j] - high[j])
    most = min(high[i] - beta[i], beta[j] - low[j])
    s = np.clip((g[i] - g[j]) / max(D, 1e-12), least, most)
    beta[i] += s
    beta[j] -= s
    return beta * y


@homework.question(
    "A machine of your own",
    r"Let $\beta_i=y_i\alpha_i$ and $g=y-K\beta$. A pair gains if $\beta_i$ can rise, $\beta_j$ can fall and "
    "$g_i>g_j$; at a solution there is none.",
    r"A positive example can rise if $\alpha_i<C$ and fall if $\alpha_i>0$; a negative one the other way round. "
    r"Compare with a small tolerance: rounding may leave $\alpha_i$ a hair below $C$.",
    "Again and again: $i$ has the largest $g_i$ of those that can rise, $j$ the smallest $g_j$ of those that can "
    "fall. Call `pair_step`, until $g_i-g_j<10^{-6}$. Then $b_-=g_i$ and $b_+=g_j$.",
    returns="alpha, b_minus, b_plus",
)
def q8(answer):
    r"""Now let it run: choose a pair that can gain, move it, and stop when no pair is left. That gives $\alpha$. And
    the bias? The Paris slides take an example with $0<\alpha_i<C$, a **free** one; for it $z_i=1$, which is an equation
    for $b$. They do not say what to do if there is none ({ref}`P27 <erratum-P27>`). The smallest case is two points,
    $x=\pm1$ with labels $\pm1$, and $C=\frac1{10}$: nobody is free, and a whole interval of biases is optimal.

    Write `train(K, y, C)` for a Gram matrix and labels of both kinds. Return three things, `alpha, b_minus, b_plus`: a
    solution of the dual, and the ends $b_-\le b_+$ of the interval of all biases that are optimal with it. If the bias
    is unique, the ends agree up to rounding. Your `pair_step` does the work; what is left is to choose $i$ and $j$, and
    to stop. Go on until the duality gap is far below $\frac1{1000}$. The samples have at most 25 examples."""
    rng = np.random.default_rng(8)

    def holds(X, y, C, gamma):
        K, near = GaussianKernel(gamma)(X) if gamma else X @ X.T, 1e-6 * C
        tried = told(X, K, f"exp(-{gamma} |x_i - x_j|^2)" if gamma else "X X^T", y=y, C=C)
        got = answer(K, y, C)
        listed = isinstance(got, (tuple, list)) and len(got) == 3
        require(listed, f"three things are expected, alpha, b_minus and b_plus, got {got!r}.")
        alpha, low, high = finite(got[0], y.shape, "alpha", tried), *(array(single(b), (), "a bias") for b in got[1:])
        need = requiring(tried, f"{show(alpha=alpha)}, biases from {low:.4g} to {high:.4g}")
        need(((alpha > -near) & (alpha < C + near)).all(), f"alpha is not in the box [0, {C:g}].")
        need(abs(alpha @ y) < near * len(y), "the sum of alpha_i y_i is not zero.")
        breaks = np.sort(y - K @ (alpha * y))  # the objective is linear in b between these
        P = np.array([primal_objective(alpha, b, K, y, C) for b in breaks])
        gap, flat = P.min() - dual_objective(alpha, K, y), breaks[P < P.min() + near]
        need(gap < 1e-3, f"alpha is no solution: with the best b the duality gap is {gap:.4g}.")
        first, last, free = flat[0], flat[-1], np.any((alpha > near) & (alpha < C - near))
        biases = f"from {first:.4g} to {last:.4g}" + " (no example is free here)" * (not free)
        advice = "An alpha that misses 0 or C by rounding looks free: compare with a tolerance."
        inside = first - 1e-3 < min(low, high) and max(low, high) < last + 1e-3
        need(inside, "alpha is a solution, but the two biases are not both optimal.", biases)
        need(low < high + 1e-3, f"alpha is a solution, but b_minus exceeds b_plus. {advice}", biases)
        more = f"alpha is a solution and your biases are optimal, but there are more. {advice}"
        need(low < first + 1e-3 and high > last - 1e-3, more, biases)

    few = [([[-1], [1]], [-1, 1], C) for C in (0.1, 1.0, 0.4)]
    few += [
        ([[0, 0], [1, 1], [0, 1], [1, 0.5]], [1, 1, -1, -1], 0.1),
        ([[1], [1], [3]], [1, -1, 1], 0.5),
        ([[0.3, 1.8], [0.9, 0.1], [-0.2, -0.5], [2, -1], [-1.2, -0.6]], [1, 1, -1, 1, -1], 0.7),
    ]
    few = [(np.array(X, dtype=float), np.array(y), C, 0) for X, y, C in few]
    prices = ((1.0, 0), (0.02, 0), (8.0, 0.5))
    drawn = [(*sample(rng, m), C, gamma) for m in (3, 4, 5, 6, 9, 14, 25) for C, gamma in prices]
    for_all(few + drawn, holds, lambda X, y, C, gamma: both(y))
    return "on every sample the gap is closed, and you found all optimal biases, also where no example is free."


@q8.solved_by
def train(K, y, C):
    r"""For an example with label $+1$, $z_i-1=b-g_i$; with label $-1$, $z_i-1=g_i-b$. So the three cases of question
    6 read: $b\ge g_i$ if $\beta_i$ can rise, $b\le g_i$ if it can fall. Such a $b$ exists if and only if
    $b_-=\max\{g_i:i\text{ can rise}\}\le b_+=\min\{g_j:j\text{ can fall}\}$, and then all of $[b_-,b_+]$ is optimal
    ({prf:ref}`prop-bias-interval`). If not, the two examples that attain the maximum and the minimum are a pair with
    which $W$ can grow: move them. (That this ends is a theorem of its own, which we do not prove.) A free example can
    do both, and then $b_-=b_+$. Without one there may be an interval; the slides take $b$ from a free example that
    need not exist ({ref}`P27 <erratum-P27>`). With two points $\pm1$ and $C=\frac1{10}$, both $\alpha_i=C$,
    $w=\frac15$, and every $b$ from $-\frac45$ to $\frac45$ is optimal."""
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


@homework.question(
    "Pegasos, seen from the dual",
    r"Which $\lambda$? Multiply $\frac12\|w\|^2+C\sum_i[1-z_i]_+$ by $\lambda$ and compare with $F(w)$.",
    r"Prove $w_{t+1}=\frac1{\lambda t}\sum_{s\le t}v_s$ by induction: what is $(1-\frac1t)\frac1{\lambda(t-1)}$?",
    r"So $\alpha_i=n_i/(\lambda T)$, where $n_i$ counts the rounds that drew $i$ and found $z<1$. Keep the counts: "
    r"$w_t\cdot\phi(x_i)=\frac1{\lambda(t-1)}\sum_jn_jy_jK_{ij}$, and $0$ for $t=1$.",
    proof=True,
)
def q9(answer):
    r"""A second machine, without bias, that needs no pairs. Pegasos minimises

    $$
    F(w)=\frac1m\sum_{i=1}^m\bigl[1-y_i\,w\cdot\phi(x_i)\bigr]_++\frac\lambda2\|w\|^2
    $$

    by looking at one example in each round. It starts at $w_1=0$. In round $t=1,\dots,T$ it is given the index $i_t$;
    it puts $v_t=y_{i_t}\phi(x_{i_t})$ if $y_{i_t}\,w_t\cdot\phi(x_{i_t})<1$, and $v_t=0$ otherwise, and then

    $$
    w_{t+1}=\Bigl(1-\frac1t\Bigr)w_t+\frac1{\lambda t}\,v_t .
    $$

    Three things to find out. You are given $C$, not $\lambda$: which $\lambda$ makes $F$ a multiple of
    $\frac12\|w\|^2+C\sum_i[1-z_i]_+$, with $z_i=y_i\,w\cdot\phi(x_i)$? (Every author has a favourite $\lambda$; that of
    the Paris slides is another one, {ref}`P28 <erratum-P28>`.) What is $w_{T+1}$ in terms of $v_1,\dots,v_T$? And so,
    which $\alpha$ has $w_{T+1}=\sum_i\alpha_iy_i\phi(x_i)$, if $\alpha_i$ collects what the rounds with example $i$
    have added? Write `pegasos(K, y, C, draws)`, where `draws` holds $i_1,\dots,i_T$, $T\ge1$, counted from $0$, and
    return that $\alpha$. Then ask yourself how large $\alpha_i$ can be if every example was drawn equally often. You
    know this box."""
    rng = np.random.default_rng(9)

    def run(X, y, C, draws):  # in the features themselves: how often each example counted, and the smallest |z - 1|
        v, lam, counts, tie = np.zeros(X.shape[1]), 1 / (C * len(y)), np.zeros(len(y)), np.inf
        for t, i in enumerate(draws % len(y)):
            z = y[i] * (X[i] @ v) / (lam * max(t, 1))
            tie, counts[i], v = min(tie, abs(z - 1)), counts[i] + (z < 1), v + y[i] * X[i] * (z < 1)
        return counts, tie

    def holds(X, y, C, numbers):
        draws, K, m = numbers % len(y), X @ X.T, len(y)
        tried, counts = told(X, K, y=y, C=C, draws=draws), run(X, y, C, draws)[0]
        got = finite(answer(K, y, C, draws), y.shape, "alpha", tried)
        need = requiring(tried, got)
        need((got >= 0).all(), "alpha_i should not be negative: the label y_i is not part of it.")
        need(np.allclose(np.delete(got, draws), 0), "alpha_i should be zero for an example that was never drawn.")
        lam = 1 / got.max() if len(draws) == 1 and got.any() else 1 / (C * m)
        paris = ", which belongs to the sum of the losses" * bool(np.isclose(lam * C, 1) and m > 1)
        first = f"after one round alpha_i = 1/lam for the example drawn, so your lam is {lam:.4g}{paris}, or your first"
        law = "lam (|w|^2 / 2 + C sum of losses) = F(w)"
        need(np.isclose(lam * C * m, 1, rtol=1e-5), f"{first} round is not t = 1.", law)
        close(got, C * m * counts / len(draws), "alpha", tried)

    drawn = [
        (*sample(rng, m), C, rng.integers(m, size=T))
        for m, T in ((3, 1), (4, 1), (4, 3), (4, 6), (6, 15), (10, 60))
        for C in (0.5, 0.1, 3.0)
    ]
    for_all(drawn, holds, lambda *parts: run(*parts)[1] > 1e-6)
    tie = {"K": np.ones((1, 1)), "y": np.ones(1, dtype=int), "C": 1.0, "draws": np.zeros(2, dtype=int)}
    exact = finite(answer(*tie.values()), (1,), "alpha")
    message = "in the second round z = 1 exactly: the hinge is zero, nothing is added."
    require(np.isclose(exact[0], 0.5), message, show(**tie), exact, "alpha = [0.5]")
    X, y = sample(rng, 10)
    alpha = run(X, y, 1.0, np.tile(np.arange(10), 50))[0] / 50
    gap = duality_gap(alpha, 0.0, X @ X.T, y, 1.0)
    return f"the same weights as in the features. After 50 passes over 10 examples the duality gap is {gap:.2g}."


@q9.solved_by
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
    average, with the step that the notes skip, is {prf:ref}`thm-pegasos` ({ref}`M84 <erratum-M84>`)."""
    m, counts = len(y), np.zeros(len(y))
    for t, i in enumerate(draws):  # t rounds are over
        z = y[i] * (K[i] @ (counts * y)) * C * m / max(t, 1)
        counts[i] += z < 1
    return C * m * counts / len(draws)


homework.closing(
    r"""You have a machine that learns from a table of similarities and says how far it can be from the best: the gap,
    example by example, needs no trust in the solver, and it works for Pegasos as well as for your own. On the way you
    met what the notes pass over: a kernel needs its conditions, an optimality condition its sign, a bias may be an
    interval, and a $\lambda$ belongs to its formula. {doc}`../svm` proves how good the machine is when it stops early
    ({prf:ref}`thm-smo-gap`) and what Pegasos promises after $T$ rounds ({prf:ref}`thm-pegasos`; the printed proof has a
    hole, {ref}`M84 <erratum-M84>`). Why a wide street predicts well is the question of {doc}`../stability-and-margins`.
    """
)
