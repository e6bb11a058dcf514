"""Homework: neural networks, from the forward pass and its way back to copies, dropout and Boolean functions."""

import itertools
import math

import numpy as np
from scipy.optimize import linprog
from scipy.special import expit, softmax

from mlcourse.models.networks.constructed import cube
from mlcourse.testing import numerical_gradient
from mlcourse.theory import cover_labellings
from mlcourse_homework.engine.answers import Wrong, array, brief, for_all, number, require, requiring, show, two
from mlcourse_homework.engine.properties import agree, parts, same, shape_of, single
from mlcourse_homework.engine.question import Homework
from mlcourse_homework.sets import _networks as known
from mlcourse_homework.sets._networks import quietly, sgn, units

homework = Homework(
    "networks",
    "Neural networks",
    r"""A network is a formula, and a long one. What can be said about it without training anything? More than one would
    think. In this homework you write the way forward and the way back, and find out on the way which slopes in the
    lecture notes are wrong. Then you look at networks from outside: how many parameter vectors mean the same function,
    how large random weights should be, what dropout really minimises, and what sign units can compute, from a single
    one to a whole layer.

    It follows the Paris slides on networks and lecture 24 of the Milan notes, and goes with {doc}`../neural-networks`
    and {doc}`../deep-learning`. Nothing needs to be trained and no question needs more than a dozen lines. Two to three
    hours are a good measure.""",
    imports="""import itertools

import numpy as np
from scipy.optimize import linprog
from scipy.special import expit""",
)
progress = homework.progress


@homework.question(
    "The way forward",
    "`X @ W` has one row for each example and one column for each unit. What does `+ b` do to it?",
    r"With $Z=\tanh(XW+b)$, of shape $(m,N)$, the outputs are $Zv+c$.",
)
def q1(answer):
    r"""The network of the first questions has $d$ inputs, one hidden layer of $N$ tanh units, and one linear output.
    Its parameters are `W` of shape $(d,N)$, with a column for each unit, the hidden biases `b` of shape $(N,)$, the
    output weights `v` of shape $(N,)$ and the output bias `c`, a number. For an input $x\in\mathbb{R}^d$

    $$
    h(x)=c+\sum_{j=1}^Nv_jz_j,\qquad z_j=\tanh a_j,\qquad a_j=b_j+\sum_{k=1}^dx_kW_{kj} .
    $$

    The rows of `X`, of shape $(m,d)$, are $m$ inputs. Write `forward(X, W, b, v, c)`, which returns the $m$ outputs, an
    array of shape $(m,)$."""

    def holds(X, theta, c):
        W, b, v = units(theta)
        want = [c + sum(v[j] * math.tanh(b[j] + sum(x * W[:, j])) for j in range(len(v))) for x in X]
        a = X @ W + b
        mistakes = {
            "the hidden biases b are missing": np.tanh(a - b) @ v + c,
            "the output bias c is missing": np.tanh(a) @ v,
            "all biases are missing": np.tanh(a - b) @ v,
            "the output unit is linear, without tanh": np.tanh(np.tanh(a) @ v + c),
            "the hidden units have no activation": a @ v + c,
            "the hidden units are tanh, not sigmoids": expit(a) @ v + c,
            "the bias belongs inside the tanh": (np.tanh(a - b) + b) @ v + c,
        }
        if len(W) == len(b):
            mistakes["W has a row for each input: X W, not X W^T"] = np.tanh(X @ W.T + b) @ v + c
        agree(quietly(answer, X, W, b, v, c), want, "the output", mistakes, show(X=X, W=W, b=b, v=v, c=c))

    rng = np.random.default_rng(1)
    far = (np.array([[1e3, 2.0], [-1e3, 1.0]]), np.array([[1.0, 2.0, 3.0, 4.0], [2.0, -1.0, 1.0, 1.0]]), 0.5)
    for_all([*known.networks(rng), *known.networks(rng), far], holds)
    return "the outputs of networks with one unit to four, also where the scores are in the thousands."


@q1.solved_by
def forward(X, W, b, v, c):
    r"""Row $i$ of $XW+b$ holds the scores $a_{ij}=b_j+\sum_kX_{ik}W_{kj}$ of the $N$ units for example $i$: NumPy adds
    the vector $b$ to every row. The values are $z_{ij}=\tanh a_{ij}$, and the output $c+\sum_jv_jz_{ij}$ is a product
    of the table of values with $v$. The output unit is linear."""
    return np.tanh(X @ W + b) @ v + c


@homework.question(
    "The slope of a unit, from its value",
    r"With $\sigma=\sigma(ra)$ the chain rule gives $g'(a)=(\text{high}-\text{low})\,r\,\sigma\,(1-\sigma)$.",
    r"Now eliminate $\sigma$: $z-\text{low}=(\text{high}-\text{low})\,\sigma$. What is $\text{high}-z$?",
    r"$g'=r\,(z-\text{low})(\text{high}-z)/(\text{high}-\text{low})$. Try it on tanh, where it should be $1-z^2$.",
    doc="The slope of the unit where its value is z.",
    proof=True,
)
def q2(answer):
    r"""On the way back every unit multiplies what it receives by its slope. It has forgotten its score $a$ by then and
    knows only its value $z=g(a)$. For units with an S-shaped activation that is enough. They all have the form

    $$
    g(a)=\text{low}+(\text{high}-\text{low})\,\sigma(ra),\qquad\sigma(t)=\frac1{1+e^{-t}},
    $$

    with $\text{low}<\text{high}$ and a steepness $r>0$. The sigmoid is the case $0,1$ and $r=1$, tanh the case $-1,1$
    and $r=2$. The Paris slides use $0,1$ and $r=\frac12$.

    Find $g'(a)$ as a formula in $z$, and state it as `slope(z, low, high, r)`, for an array `z` of values. Then put in
    the three cases and compare with what the slides print: $1-g^2$ as the slope of their unit
    ({ref}`P12 <erratum-P12>`, {ref}`P05 <erratum-P05>`)."""
    names = {(0.0, 1.0, 1.0): "the sigmoid", (0.0, 1.0, 0.5): "the slides' sigma(a/2)", (-1.0, 1.0, 2.0): "tanh"}
    rng = np.random.default_rng(2)

    def holds(a, low, high, r):
        def g(a):
            return low + (high - low) * expit(r * a)

        def quotient(a):
            return (g(a + 1e-5) - g(a - 1e-5)) / 2e-5

        z, right, rise = g(a), quotient(a), high - low
        mistakes = {
            "1 - z^2 is the slope of tanh and of no other of these units": 1 - z**2,
            "z (1 - z) belongs to the sigmoid, where r = 1; the chain rule adds a factor r": z * (1 - z),
            "r z (1 - z) is for units between 0 and 1": r * z * (1 - z),
            "it is high - low times too large": right * rise,
            "it is (high - low)^2 times too large": right * rise**2,
            "it is high - low times too small": right / rise,
            "the chain rule adds a factor r": right / r,
            "the factor r occurs once": right * r,
            "you took the derivative at z; z is the value of the unit, its score is a": quotient(z),
        }
        unit = f"{names.get((low, high, r), 'the unit')} with {show(low=low, high=high, r=r)}"
        tried = f"{unit} at a = {brief(a)}, where z = {brief(z)}"
        agree(quietly(answer, z, low, high, r), right, "the slope", mistakes, tried)

    ends = [np.sort(rng.choice(9, 2, replace=False)) - 4.0 for _ in range(12)]
    drawn = [(rng.uniform(-2, 2, 5), float(low), float(high), 0.25 * float(rng.integers(1, 9))) for low, high in ends]
    for_all([*((np.array([0.0, 1.0, -2.0]), *unit) for unit in names), *drawn], holds)
    return "the derivative of tanh, of both sigmoids and of a dozen other units, computed from the value alone."


@q2.solved_by
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
    $\sigma(a/2)$, with $r=\frac12$, it is $\frac12z(1-z)$. So $1-g^2$ is wrong for that unit, and so is $g(1-g)$."""
    return r * (z - low) * (high - z) / (high - low)


@homework.question(
    "The way back",
    r"Start at the output. The derivative of $\ln(1+e^{-ys})$ with respect to $s$ is $-y\,\sigma(-ys)$. With the "
    r"$\frac1m$ of the mean this is $\delta_i$, one number for each example.",
    r"$s_i=c+\sum_jv_jz_{ij}$ gives $\sum_i\delta_i$ for $c$ and $\sum_i\delta_iz_{ij}$ for $v_j$. To go on to the "
    "scores $a_{ij}$ of the hidden units multiply by $v_j$ and by the slope $1-z_{ij}^2$.",
    r"With $\delta_{ij}=\delta_iv_j(1-z_{ij}^2)$, a table of shape $(m,N)$: the gradient for $b$ is its sum over the "
    r"examples, that for $W$ is $X^\top$ times the table.",
    returns="dW, db, dv, dc",
)
def q3(answer):
    r"""Now the network of question 1 classifies: $y_i\in\{-1,+1\}$, and its risk is the mean logistic loss

    $$
    R=\frac1m\sum_{i=1}^m\ln\bigl(1+e^{-y_ih(x_i)}\bigr) .
    $$

    Write `gradients(X, y, W, b, v, c)`, which returns the four gradients `dW, db, dv, dc` of $R$ with respect to `W`,
    `b`, `v` and `c`, each of the shape of its parameter. The check looks at the shapes first. Then it compares with
    difference quotients, on the smallest network first, from the output back: it names the first gradient that is wrong
    and, if it recognises it, the mistake. Outputs may be in the thousands, so beware of exponentials."""
    rng = np.random.default_rng(3)

    def asked(X, y, theta, c):
        given = dict(zip(("dW", "db", "dv", "dc"), (*units(theta), c), strict=True))
        got = parts(quietly(answer, X, y, *given.values()), *given)
        return given, got | {"dc": single(got["dc"])}

    def holds(X, y, theta, c):
        given, got = asked(X, y, theta, c)
        mistakes = known.gradient_mistakes(X, y, *given.values())
        tried = show(X=X, y=y, **{name[1]: part for name, part in given.items()})
        for name in reversed(given):

            def loss(part, name=name):
                W, b, v, c = (given | {name: part}).values()
                return np.logaddexp(0, -y * (np.tanh(X @ W + b) @ v + c)).mean()

            known_here = {text: wrong[name] for text, wrong in mistakes.items()}
            agree(got[name], numerical_gradient(loss, given[name]), name, known_here, tried)

    drawn = [(X, rng.choice((-1, 1), len(X)), theta, c) for _ in range(2) for X, theta, c in known.networks(rng)]
    far = np.array([[1.0], [-1.0], [2.0]]), np.array([-1, -1, 1]), np.array([[1.0, 0.0, 2000.0], [2.0, 1.0, -1.0]]), 0.5
    given, got = asked(*drawn[5])  # m = 5, d = 3 and N = 4 cannot be confused
    for name in reversed(given):
        known.require_shape(got[name], np.shape(given[name]), 5, name)
    for_all([*drawn, far], holds, valid=lambda X, y, theta, c: len(X) == len(y))
    return "all four gradients agree with difference quotients, also where the outputs are in the thousands."


@q3.solved_by
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
    overflow: at a score of $1000$ on the wrong side $\delta_i$ is $\mp\frac1m$, not `nan`."""
    z = np.tanh(X @ W + b)
    delta = -y * expit(-y * (z @ v + c)) / len(y)
    back = np.outer(delta, v) * (1 - z**2)
    return X.T @ back, back.sum(axis=0), z.T @ delta, delta.sum()


@homework.question(
    "Softmax, there and back",
    "Adding a number to all scores of a row changes nothing. Which number makes the largest exponential equal to one?",
    r"$\partial p_c/\partial a_j=p_c\,(\mathbf{1}\{c=j\}-p_j)$: a change of one score changes all probabilities.",
    r"Component $j$ of the gradient is $\sum_cg_c\,p_c(\mathbf{1}\{c=j\}-p_j)=p_j\,(g_j-\sum_cg_cp_c)$.",
    returns="p, gradient",
)
def q4(answer):
    r"""With $\kappa$ classes the last layer turns the scores $a\in\mathbb{R}^\kappa$ of an example into probabilities
    $p_c=e^{a_c}/\sum_je^{a_j}$. Unlike tanh it is not one function applied to each coordinate, since every score
    changes every probability. What comes back is a gradient $g\in\mathbb{R}^\kappa$ with respect to $p$; what must be
    passed on is the gradient with respect to $a$, that of the function $a\mapsto\sum_cg_c\,p_c(a)$ with $g$ fixed.

    Write `softmax_layer(a, g)` for tables of shape $(m,\kappa)$, one example in each row. It returns the pair of the
    table of probabilities and the table of gradients with respect to the scores, both of shape $(m,\kappa)$. Scores may
    be $10^4$ or $-10^4$, and differ that much from row to row.

    When you are done, work out by hand what goes back for the loss $-\ln p_y$, where $g=-e_y/p_y$ with the unit vector
    $e_y$ of the class. And why does one never compute it in these two steps?"""
    rng = np.random.default_rng(4)

    def holds(a, g):
        p, back = two(quietly(answer, a, g), "(p, gradient)")
        p, tried, want, e = array(p, a.shape, "p"), show(a=a, g=g), softmax(a, axis=1), np.exp(np.clip(a, -50, 50))
        overflow = "subtract from each row its own largest score before you take exponentials."
        require(np.isfinite(p).all(), f"p has entries that are not finite: {overflow}", tried, p, want)
        mistakes = {
            "each row for itself should sum to one, not the whole table": e / e.sum(),
            "the rows should sum to one, not the columns": e / e.sum(axis=0),
            "that is the sigmoid of each score": expit(a),
        }
        agree(p, want, "p", mistakes, tried)
        mean, total, plain = ((part * g).sum(axis=1, keepdims=True) for part in (want, 1, 1 / a.shape[1]))
        right, diagonal = want * (g - mean), want * (1 - want) * g
        if np.abs(a).max() < 50:
            right = numerical_gradient(lambda a: (g * softmax(a, axis=1)).sum(), a)
        mistakes = {
            "p (1 - p) g is the diagonal only; a score changes the probabilities of the other classes too": diagonal,
            "the sum over the classes is missing: g_j is compared with the mean of g under p": want * g,
            "the mean of g should be taken with the weights p": want * (g - plain),
            "from g the mean under p is subtracted, not the sum": want * (g - total),
            "the factor p is missing": g - mean,
            "the sum over the classes is one for each row, not one for the table": want * (g - mean.sum()),
            "that is the gradient of a cross-entropy": want - g,
        }
        agree(back, right, "the gradient", mistakes, tried)

    small = [tuple(rng.integers(-2, 3, (2, *shape)) + 0.0) for shape in ((1, 2), (1, 2), (1, 3), (2, 2), (2, 3))]
    large = [
        (rng.integers(-8, 9, (3, 4)) / 4 * scale + shift, rng.normal(size=(3, 4)))
        for scale, shift in ((1, 0), (3, 5), (1, 1e4), (1, -1e4), (5e3, 0), (1, [[1e4], [-1e4], [0]]))
    ]
    for_all(small + large, holds, valid=lambda a, g: len(a) == len(g))
    return "probabilities and way back are right, for scores up to ten thousand of both signs."


@q4.solved_by
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
    therefore computes $p-e_y$ directly and never passes through $g$."""
    e = np.exp(a - a.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return p, p * (g - (g * p).sum(axis=1, keepdims=True))


@homework.question(
    "One network, many names",
    "A unit is the column $(W_j,b_j,v_j)$. Its two copies are this column and minus this column: choose one of them "
    "by a rule that does not see which one it was given.",
    "For example, make the first entry of the column that is not zero positive. Then sort the columns, whole.",
    "Two units may agree in many entries: sort by all of them, one after the other (`np.lexsort` sorts columns).",
    returns="W, b, v",
)
def q5(answer):
    r"""Two people train the network of question 1 and want to know whether they found the same one. Comparing the
    numbers is no use. If two hidden units are exchanged, with all their weights, the function is the same; and because
    $\tanh(-a)=-\tanh a$ it also stays the same if the column of $W$, the bias and the output weight of a unit all
    change their signs. Call what can be reached by such changes the *copies* of a network. With $N$ units there can be
    $2^NN!$ of them.

    Write `canonical(W, b, v)`, which returns `W, b, v` of the same shapes, of a network that computes the same function
    (with the same $c$), and which returns *the same* `W, b, v` for all copies of a network. Which one you choose is up
    to you. Mind units that share some of their numbers, and numbers that are zero."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(20, 3))

    def told(theta):
        return "units (W_j, b_j, v_j) = " + ", ".join(map(brief, theta))

    def form(theta):
        given, N = dict(zip("Wbv", units(theta), strict=True)), len(theta)
        got = parts(quietly(answer, *given.values()), *given)
        own = shape_of(got["b"]) or (0,)
        fewer = f"the network has {N} hidden units, your form has {own[0]}: W, b and v should keep their shapes, "
        require(own == (N,) or own != shape_of(got["v"]), f"{fewer}even where fewer units would do.", told(theta))
        got = {name: array(got[name], part.shape, name) for name, part in given.items()}
        outputs = [np.tanh(X[:, : len(W)] @ W + b) @ v for W, b, v in (given.values(), got.values())]
        sizes = [[np.sort(np.abs(part), axis=None) for part in those.values()] for those in (given, got)]
        why = " The numbers agree up to signs and order: a unit moves and turns with all its weights."
        why *= all(map(same, *sizes))
        require(same(*outputs), f"what you return computes another function.{why}", told(theta), show(**got))
        return got

    def holds(theta):
        first, N = form(theta), len(theta)
        orders, signs = itertools.permutations(range(N)), itertools.product((1, -1), repeat=N)
        ways = sorted(itertools.product(signs, orders), key=lambda way: (-1 in way[0]) + (way[1] != tuple(range(N))))
        for turn, order in ways[:: 1 + N // 4 * 6]:
            copy = np.array(turn)[:, None] * theta[list(order)] + 0.0
            other = form(copy)
            how = [word for word, yes in (("places", order != tuple(range(N))), ("signs", -1 in turn)) if yes]
            need = requiring(f"{told(theta)}; its copy {told(copy)}", f"{show(**first)}; {show(**other)}")
            unlike = f"units that change their {' and '.join(how)} should not matter."
            need(all(same(other[name], first[name]) for name in first), f"two copies get different forms: {unlike}")

    ones = [[1, 0, 1], [-1, 2, 0], [0, 1, 2], [0, 0, 3], [0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 2]]
    pairs = [[[1, 2, 3], [-1, -2, 3]], [[1, 1, 2], [1, -1, 2]], [[0, 1, 1], [0, 1, -2]], [[2, 1, 1], [2, 1, 1]]]
    pairs += [[[1, 2, 1, 1], [1, -2, 1, 1]], [[1, 2, 3, 1, 1], [1, 3, 2, 1, 1]]]
    drawn = [rng.integers(-1, 2, (N, d + 2)) for N, d in ((2, 1), (2, 1), (3, 1), (3, 1), (3, 2), (4, 1))]
    drawn += [rng.normal(size=(N, d + 2)) for N, d in ((2, 2), (3, 3), (4, 2))]
    for_all([(np.array(theta, dtype=float),) for theta in (*([unit] for unit in ones), *pairs, *drawn)], holds)
    return "the same function, and one form for all copies, also where units agree in some of their weights."


@q5.solved_by
def canonical(W, b, v):
    r"""Write a unit as the column $\theta_j=(W_j,b_j,v_j)$. Since tanh is odd, $-\theta_j$ computes the same term
    $v_j\tanh(W_j\cdot x+b_j)$, and the sum does not know the order of its terms.

    Of $\theta_j$ and $-\theta_j$ we take the one whose first entry that is not zero is positive. The choice is the same
    whichever of the two is given. (The sign of $v_j$ alone, or of one weight alone, does not decide where that entry
    is zero.) Then we sort the columns by all their entries. A copy has the same columns after the first step, in
    another order, so sorting gives the same table: columns that are still tied are equal, and their order is no
    matter. Sorting $W$, $b$ and $v$ each for itself would tear the units apart.

    If the $\pm\theta_j$ are $2N$ different columns, $N!$ orders and $2^N$ signs give $2^NN!$ copies, all with one form
    ({prf:ref}`prop-symmetries`): to compare two trained networks, compare their forms."""
    theta = np.vstack([W, b, v])  # a column for each unit
    for unit in theta.T:
        entries = unit[unit != 0]
        unit *= np.sign(entries[0]) if len(entries) else 1
    theta = theta[:, np.lexsort(theta)]
    return theta[:-2], theta[-2], theta[-1]


@homework.question(
    "How large at the start",
    r"One unit: $\mathbb{E}\,a_j^2=\mathbb{E}\big(\sum_iW_{ij}x_i\big)^2=s^2\|x\|^2$, as the weights are independent "
    r"with mean zero. Write $\|x\|^2$ as $n$ times a mean square.",
    r"$a_j$ and $-a_j$ have the same law. What does that say about $\mathbb{E}[a_j]_+^2$, as $a^2=[a]_+^2+[-a]_+^2$? "
    r"And about $\mathbb{E}|a_j|^2$?",
    r"On the way back input $i$ receives $\sum_jW_{ij}\varphi'(a_j)g_j$: a sum over the $N$ units. For relu half of "
    "them are on, on average.",
    doc="The variance of the weights that keeps the mean square.",
    proof=True,
)
def q6(answer):
    r"""A deep network multiplies many times, and a factor of one half in each of twenty layers leaves a millionth. So
    the weights should start at a size that changes nothing. Take one layer with $n$ inputs and $N$ units, without
    biases:

    $$
    a_j=\sum_{i=1}^nW_{ij}x_i,\qquad z_j=\varphi(a_j)\qquad(j=1,\dots,N).
    $$

    The $nN$ weights are independent, with variance $s^2$ and laws that are symmetric about zero, and with probability
    one no score is zero. The activation $\varphi(a)$ is $a$, $[a]_+$ or $|a|$; the argument `activation` calls them
    `"linear"`, `"relu"` and `"abs"`. There are two wishes.

    *Forward*: for a fixed input $x\ne0$ the expected mean square of the values should be that of the inputs,
    $\frac1N\sum_j\mathbb{E}\,z_j^2=\frac1n\sum_ix_i^2$. *Back*: the gradient $g$ with respect to $z$ comes back, and
    the gradient with respect to $x_i$ is $\sum_jW_{ij}\,\varphi'(a_j)\,g_j$. If the $g_j$ are independent of each other
    and of the weights, with mean zero, the expected mean square of these $n$ numbers should be that of $g$,
    $\frac1N\sum_j\mathbb{E}\,g_j^2$.

    Write `weight_variance(n, N, activation, way)`, the $s^2$ that fulfils the wish `way`, which is `"forward"` or
    `"back"`. When can both be fulfilled?"""

    def holds(n, N, activation, way):
        got, half = number(quietly(answer, n, N, activation, way), "the variance"), activation == "relu"
        right, other = (1 / known.growth(*sizes, activation, way) for sizes in ((n, N), (N, n)))
        ends = "gradients at the inputs", "gradients at the units"
        ends = ends if way == "back" else ("values of the units", "inputs")
        lost = "a relu unit is off for half of the weights, which halves the mean square"
        mistakes = {
            lost if half else "nothing is lost here, only relu needs the factor 2": right / 2 if half else 2 * right,
            "on the way forward the inputs of a unit count, on the way back the units that an input feeds": other,
            "that is a standard deviation, the variance is asked for": np.sqrt(right),
            "a compromise between the two ways keeps neither": 2 / (1 / right + 1 / other),
            "you give one over it": 1 / right,
        }
        should = f"{right:.6g}. With yours, over all {2 ** (n * N)} choices of weights -s and +s, the mean square of "
        should += f"the {ends[0]} is {got / right:.4g} times that of the {ends[1]}"
        agree(got, right, "the variance", mistakes, show(n=n, N=N, activation=activation, way=way), should)

    sizes = ((5, 2), (3, 1), (1, 3), (1, 1), (2, 2), (3, 2), (2, 3), (5, 1), (4, 2), (2, 4))
    settings = itertools.product(sizes, known.SHAPES, ("forward", "back"))
    for_all([(*size, activation, way) for size, activation, way in settings], holds)
    return "averaged over all choices of the signs of the weights, the mean square is kept exactly, in both directions."


@q6.solved_by
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
    factor is $\frac12s^2$. The sum has $N$ terms: $s^2=\frac1N$ and $\frac2N$. Both demands together need $n=N$."""
    passed = 1 / 2 if activation == "relu" else 1
    return 1 / (passed * (n if way == "forward" else N))


@homework.question(
    "Dropout is a penalty",
    r"For a random prediction $s$, $\mathbb{E}(y-s)^2=(y-\mathbb{E}s)^2+\operatorname{Var}s$. Find both for "
    r"$s=\frac1p\sum_jw_j\mu_jx_j$.",
    r"$\mathbb{E}s=w\cdot x$, thanks to the division by $p$. And $\operatorname{Var}s=\frac{1-p}p\sum_jw_j^2x_j^2$.",
    r"Set the gradient of $\frac1m\sum_i(y_i-w\cdot x_i)^2+\frac{1-p}p\sum_js_jw_j^2$ to zero, with "
    r"$s_j=\frac1m\sum_ix_{ij}^2$: a linear system for $w$.",
    proof=True,
)
def q7(answer):
    r"""Dropout leaves out units at random while the network learns. What does it learn then? For one linear unit there
    is an exact answer. Each input $x_j$ is kept with probability $p$, $0<p<1$, independently, and what is kept is
    divided by $p$ (*inverted* dropout; then nothing has to be rescaled in tests). With a mask $\mu\in\{0,1\}^d$ of
    independent $\mu_j$, $\mathbb{P}(\mu_j=1)=p$, the unit predicts

    $$
    s=\frac1p\sum_{j=1}^dw_j\,\mu_j\,x_j .
    $$

    The loss of an example $(x,y)$ is $(y-s)^2$, and every example gets its own mask. Write `dropout_fit(X, y, p)`,
    which returns the weights $w\in\mathbb{R}^d$ whose *expected* loss, averaged over the $m$ examples, is least. `X`
    has shape $(m,d)$, no column of it is zero, and `y` consists of real numbers.

    The check goes through all $2^d$ masks; you need not, there is a formula. The Paris slides do not divide. They
    multiply the weights by $p$ in tests instead, and say that this aggregates the $2^d$ thinned networks. For a linear
    unit their mean is indeed what one gets. Your computation shows what the mean leaves out, and
    {ref}`P16 <erratum-P16>` what happens with other units."""
    rng = np.random.default_rng(7)

    def holds(X, y, p):
        (m, d), masks = X.shape, (cube(X.shape[1]) + 1) / 2
        chance = p ** masks.sum(axis=1) * (1 - p) ** (d - masks.sum(axis=1))
        Z, targets, share = (masks[:, None] * X).reshape(-1, d) / p, np.tile(y, 2**d), chance.repeat(m) / m
        got = array(quietly(answer, X, y, p), (d,), "w")
        right = np.linalg.lstsq(np.sqrt(share)[:, None] * Z, np.sqrt(share) * targets, rcond=None)[0]
        loss, least = (share @ (targets - Z @ w) ** 2 for w in (got, right))
        if not loss <= least + 1e-9 * (1 + y @ y):
            should = f"{brief(right)}, whose loss, averaged over all {2**d} masks, is {least:.6g}; yours has {loss:.6g}"
            agree(got, right, "w", known.dropout_mistakes(X, y, p, right), show(X=X, y=y, p=p), should)

    drawn = [
        (rng.integers(1, 4, (m, d)) * rng.choice((-1.0, 1.0), (m, d)), rng.integers(-3, 4, m) + 0.5, p)
        for m, d in ((3, 2), (3, 2), (4, 3))
        for p in (0.6, 0.8, 0.3)
    ]
    drawn += [
        (rng.normal(size=(m, d)) * np.arange(1, d + 1), rng.normal(size=m), p)
        for m, d, p in ((5, 3, 0.4), (10, 3, 0.9), (4, 5, 0.3), (20, 4, 0.7), (3, 1, 0.6))
    ]
    for_all(drawn, holds, valid=lambda X, y, p: len(X) == len(y) > 2 and X.any(axis=0).all())
    return "no weights have a smaller loss: it was averaged over all masks, one by one."


@q7.solved_by
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
    $$"""
    m, s = len(X), (X**2).mean(axis=0)
    return np.linalg.solve(X.T @ X / m + (1 - p) / p * np.diag(s), X.T @ y / m)


@homework.question(
    "Counting inputs",
    r"$x_1+\dots+x_d=2k-d$ if $k$ of the inputs are $+1$. A unit with all weights $1$ compares $k$ with a threshold.",
    r"One unit for each $n$ with $F_n\ne F_{n-1}$: let it be $+1$ exactly if $k\ge n$. A bias of $d+1-2n$ puts the "
    "threshold in the middle.",
    r"Give this unit the output weight $\frac12(F_n-F_{n-1})$. Then the weighted sum jumps by $F_n-F_{n-1}$ where it "
    r"should, and the output bias $\frac12(F_0+F_d)$ puts it at the right height.",
    returns="W, b, v, c",
)
def q8(answer):
    r"""From here on all units are sign units, with $\operatorname{sgn}0=+1$, and the inputs are $x\in\{-1,+1\}^d$. One
    hidden layer computes every Boolean function, by a unit for each corner of the cube where the function has its rarer
    value ({prf:ref}`thm-boolean-network`; for the bias of the output see {ref}`M100 <erratum-M100>`). For the parity of
    $d$ inputs these are $2^{d-1}$ units. Is parity so hard?

    A function is *symmetric* if it depends only on the number $k$ of inputs that are $+1$. It is given by its values
    $F_0,F_1,\dots,F_d\in\{-1,+1\}$; parity has $F_k=(-1)^k$. Write `symmetric_network(F)` for an array `F` of these
    $d+1\ge2$ values. It returns `W, b, v, c`, in the shapes of question 1, of the network

    $$
    \operatorname{sgn}\Big(c+\sum_{j=1}^Nv_j\operatorname{sgn}\Big(b_j+\sum_{i=1}^dx_iW_{ij}\Big)\Big),
    $$

    which should be $F_k$ at every corner with $k$ inputs $+1$. It may have no more hidden units than $F$ has changes,
    that is indices $n$ with $F_n\ne F_{n-1}$. (If $F$ is constant, one unit is allowed, and $N=0$ is fine too. A score
    that misses zero by rounding counts as zero.)"""
    rng = np.random.default_rng(8)

    def holds(F):
        d, changes = len(F) - 1, np.flatnonzero(np.diff(F)) + 1
        X, tried, got = cube(d), f"d = {d}, F = {brief(F)}", parts(quietly(answer, F), "W", "b", "v", "c")
        got |= {"W": np.empty((d, 0)) if shape_of(got["W"]) == (0,) else got["W"], "c": single(got["c"])}
        N = (*(shape_of(got["b"]) or ()), *(shape_of(got["W"]) or ())[1:], 0)[0]
        shapes = {"W": (d, N), "b": (N,), "v": (N,), "c": ()}
        W, b, v, c = given = [array(got[name], shape, f"{name}, for {tried},") for name, shape in shapes.items()]
        for name, part in zip(shapes, given, strict=True):
            require(np.isfinite(part).all(), f"{name} should consist of finite numbers.", tried, part)
        k, hidden = (X > 0).sum(axis=1), sgn(X @ W + b, np.abs(b) + np.abs(W).sum(axis=0))
        score, size, want = hidden @ v + c, np.abs(c) + np.abs(v).sum(), F[k]
        output = sgn(score, size)
        i = int(np.argmax(output != want))
        if output[i] != want[i]:
            why = known.why_not_counting(k, hidden, score, size, want, c, changes)
            wrong = f"the network is wrong at a corner with {k[i]} of {d} inputs +1. {why}"
            raise Wrong(wrong, f"{tried}, x = {brief(X[i])}", f"{output[i]:+d}", f"{want[i]:+d}")
        enough = f"The number of changes of F is {len(changes)}; as many units are enough."
        require(N <= max(1, len(changes)), f"the network is right, but it has {N} hidden units. {enough}", tried)

    tables = [F for d in (1, 2, 3) for F in itertools.product((-1, 1), repeat=d + 1)]
    tables.sort(key=lambda F: (len(set(F)) == 1, len(F)))  # the constants last: they teach least
    tables += [[s * (-1) ** k for k in range(d + 1)] for d in (4, 5, 8) for s in (1, -1)]
    tables += [2 * rng.integers(2, size=d + 1) - 1 for d in (5, 6, 7)]
    for_all([(np.array(F),) for F in tables], holds, valid=lambda F: len(set(F)) > 1)
    return "tried at every corner, with one unit for each change: eight units for the parity of eight inputs, not 128."


@q8.solved_by
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
    construction of {prf:ref}`thm-boolean-network` would take $2^{d-1}$."""
    d, changes = len(F) - 1, np.flatnonzero(np.diff(F)) + 1
    return np.ones((d, len(changes))), d + 1 - 2 * changes, F[changes], (F[0] + F[-1]) / 2


@homework.question(
    "What one unit can say",
    r"There are $2^m$ labellings $y$; ask of each whether some $(w,b)$ has $y_i(w\cdot x_i+b)>0$ for all $i$.",
    r"If there is one, a multiple of it has $y_i(w\cdot x_i+b)\ge1$: a linear programme with nothing to minimise.",
    "`linprog(np.zeros(d + 1), -A, -np.ones(m), bounds=(None, None)).success`, where the rows of `A` are "
    "$y_i(x_i,1)$. Without `bounds` it would look for weights that are not negative.",
)
def q9(answer):
    r"""Symmetric functions are cheap. Most Boolean functions are not, and the proof is by counting: there are $2^{2^d}$
    functions, and a single unit can compute only few functions of what it sees. How few?

    Let the rows of `X`, of shape $(m,d)$ with $m\le8$, be different points. A unit
    $x\mapsto\operatorname{sgn}(w\cdot x+b)$ gives each of them a label. Write `labellings(X)`, the number of labellings
    in $\{-1,+1\}^m$ that occur when $w\in\mathbb{R}^d$ and $b\in\mathbb{R}$ vary. Try it on the corners of the square
    and of the cube: these are the Boolean functions of two and three inputs that one unit computes. Is Cover's number,
    the formula of {prf:ref}`lem-cover`, always the answer?"""

    def holds(X):
        Z = np.column_stack([X, np.ones(len(X))]).astype(int)
        got, right, all_of_them = number(quietly(answer, X), "the number"), known.n_labellings(Z), 2 ** len(X)
        cover, few = cover_labellings(*X.shape), min(got, right - 1) if np.ptp(X) > 100 else np.inf
        zero = "If you ask for y (w.x + b) >= 0, zero weights satisfy it; ask for >= 1"
        mistakes = {
            "some are missing: hyperplanes drawn at random, for example, seldom pass between two close points": few,
            "that is half of it: a labelling and its opposite are two": right / 2,
            "the two constant labellings count too": right - 2,
            "a unit has a bias": known.n_labellings(Z[:, :-1]),
            "that is Cover's number, for general position; here too many points share a line or a plane": cover,
            f"all labellings are counted. {zero}": all_of_them,
            "there are no more than 2^m labellings": max(got, all_of_them + 1),
        }
        agree(got, right, "the number", mistakes, show(X=X))

    line, plane = np.array([[0], [1], [3], [7]]), np.array([[1, 5], [4, 1], [0, 0], [6, 6], [3, 0]])
    points = [line[:3], plane[:3], line[1:], line, np.c_[line, 2 * line - 1], cube(2), plane[:4], plane]
    close_pairs = np.array([[0], [1], [1000], [1001]])
    points += [np.r_[cube(2), [[0, 0]]], line[:2], cube(1), np.array([[2, 5, 1]]), cube(3), close_pairs]
    for_all([(X.astype(float),) for X in points], holds, valid=lambda X: len(np.unique(X, axis=0)) == len(X) > 2)
    return "on the line, in the plane and in space; one unit computes 4, 14 and 104 functions of 1, 2 and 3 inputs."


@q9.solved_by
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
    $2^{2^d}$. This is the counting behind {prf:ref}`thm-boolean-lower`."""
    Z, count = np.column_stack([X, np.ones(len(X))]), 0
    for signs in itertools.product((-1, 1), repeat=len(X) - 1):
        A = np.array((1, *signs))[:, None] * Z
        found = linprog(np.zeros(Z.shape[1]), -A, -np.ones(len(X)), bounds=(None, None))
        count += 2 * found.success
    return count


homework.closing(
    r"""You have the gradient of a network, from the loss to the first weight, and know which factor each unit adds on
    the way. You can tell copies of a network apart from different networks, start a layer at a size that neither
    shrinks nor grows, and say what dropout does to a linear unit: it is ridge regression in disguise. And you have
    counted. A layer that counts its inputs computes parity with $d$ units. But a unit with three inputs knows only
    $104$ of the $256$ functions of them, and so a graph whose units see at most three others each needs at least
    $2^d/\log_2104$ units to compute, with suitable weights, all functions of $d$ inputs. The Milan notes state such a
    bound for units with any number of inputs, without proof; it is right, with constant one
    ({ref}`M101 <erratum-M101>`, {prf:ref}`thm-boolean-lower`).

    What descent does with your gradients is another matter. It comes to a point where they vanish, if all goes well,
    and that need not be a minimum, whatever the slides say ({ref}`P10 <erratum-P10>`): at $W=0$, $b=0$, $v=0$ the
    gradients of question 3 with respect to these three are zero, for every sample. {prf:ref}`prop-zero-start` goes on
    from there, and {doc}`../deep-learning` with more layers."""
)
