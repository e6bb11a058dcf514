"""Homework: AdaBoost, from the price of one error to the training error after T rounds, and its two traps."""

import numpy as np

from mlcourse_homework.engine.answers import (
    array,
    brief,
    close,
    for_all,
    number,
    pair,
    require,
    requiring,
    show,
    slip,
    two_numbers,
)
from mlcourse_homework.engine.question import Homework

homework = Homework(
    "adaboost",
    "AdaBoost",
    r"""Somebody sells you rules that are right on a little more than half of the examples, whichever examples you
    stress. How many must you buy until your weighted vote makes no mistake at all? The answer needs no more than the
    exponential function. In this homework you find it in six small steps, each of which is one line once you see it.
    You also find the line in Amini's homework that promises too much. Then you build the machine, stumps and all, and
    meet the two situations in which the textbook loop breaks down.

    It follows the second homework of Amini's lectures, with Milan's lecture 23 and the Paris notes beside it, and goes
    with {doc}`../boosting`. Two hours are a good measure.""",
    imports="""import numpy as np

from mlcourse_homework import adaboost as hw

np.set_printoptions(precision=4, suppress=True)""",
    heading="AdaBoost",
)
progress = homework.progress


TINY = 1e-30  # an edge below it may be followed by zeros: floating point has no smaller ones


@homework.question(
    "What an error costs",
    r"What is the smallest value that $e^{-y\,f(x)}$ can have on an error, that is if $y\,f(x)\le0$?",
    "The $m$ costs add up to $m$ times the risk. Errors cost at least $1$ each. What do the other examples cost?",
    "If $k<m$ examples are errors, $k$ is *strictly* less than $m$ times the risk. When can all $m$ be errors?",
    proof=True,
    doc="The largest possible number of errors.",
)
def q1(answer):
    r"""There are $m$ examples $(x_i,y_i)$ with labels $y_i\in\{-1,+1\}$, and a score $f(x_i)\in\mathbb{R}$ for each. An
    example is an *error* if $y_if(x_i)\le0$; a score of zero counts as one. Counting errors is awkward, because the
    count jumps. So let each example cost $e^{-y_if(x_i)}$ instead, and call the mean cost the *exponential risk*,

    $$
    A=\frac1m\sum_{i=1}^me^{-y_if(x_i)} .
    $$

    Prove that the share of errors is at most $A$. Then do better: how many errors, as a whole number, can $m\ge1$
    examples have if their exponential risk is $A>0$? State the largest number that is possible as a function of $m$ and
    $A$. The check tries values of $A$ on which careless rounding is wrong."""

    def holds(m, risk):
        got, total = number(answer(m, risk), "the number of errors"), m * risk
        most = m if risk >= 1 else int(np.ceil(total)) - 1
        need = requiring(f"{show(m=m, risk=risk)}, so the {m} costs exp(-y f) add up to {total:g}", got)
        need(got == int(got) >= 0, "the number of errors should be a whole number, not negative.")
        need(got <= m, f"there are only {m} examples.")
        scores = f"{most} scores of 0 cost 1 each, and the other examples cost the rest, {total - most:g} together"
        scores = f"let every y f be -ln({risk:g}), which is not positive" if most == m else scores
        need(got >= most, "more errors are possible.", f"{most}: {scores}")
        alone = "so many errors alone would use up the whole cost, but the examples that are right cost something too."
        need(got <= most or got != total, alone, "every exp(-y f) is positive")
        cost = f"each error costs at least 1, so {got:g} of them cost at least {got:g}"
        need(got <= most, "so many errors cost too much.", cost)

    rng = np.random.default_rng(1)
    first = [(1, 0.5), (1, 1.0), (2, 0.75), (2, 0.5), (2, 1.0), (4, 0.5), (3, 1.5), (10, 0.25), (8, 0.25), (16, 0.0625)]
    shares = [(int(m), int(k)) for m in rng.integers(5, 2000, 8) for k in (*rng.integers(0, m, 2), m - 1)]
    drawn = [(m, (k + share) / m) for m, k in shares for share in (0.4, 0.05, 0.95)]
    for_all([*first, *drawn, (7, 40.0)], holds)
    return "never too many, never too few; in particular a risk of at most 1/m leaves no error, if m > 1."


@q1.solved_by
def most_errors(m, risk):
    r"""On an error $y\,f(x)\le0$, so $e^{-y\,f(x)}\ge1$; on the other examples it is positive. Hence
    $\mathbf 1\{y\,f(x)\le0\}\le e^{-y\,f(x)}$, and the training error is at most the exponential risk $A$.

    Count more carefully. Let $k$ of the $m$ examples be errors. The costs add up to $mA$, so $k\le mA$. If $k<m$, the
    others cost something too, and $k<mA$. So $k=m$ needs $A\ge1$, and $k<m$ needs $k\le\lceil mA\rceil-1$. If $A<1$ the
    answer is therefore at most $\lceil mA\rceil-1$, which is less than $m$.

    Both are attained. If $A\ge1$ let $y_if(x_i)=-\ln A\le0$ for all $i$. If $A<1$ and $k=\lceil mA\rceil-1$, let $k$
    scores be $0$, and let the other $m-k$ examples have $e^{-y_if(x_i)}=(mA-k)/(m-k)$. This is positive, and less than
    one because $A<1$, so those examples are right.

    In particular, if $m\ge2$ a risk $A\le\frac1m$ leaves no error at all."""
    return m if risk >= 1 else int(np.ceil(m * risk)) - 1


@homework.question(
    "One round",
    "$y_ih(x_i)$ is $-1$ where the rule errs and $+1$ where it is right: which factor is larger than one?",
    "Multiply, `new = D * np.exp(-alpha * y * h)`. What does `new` sum up to?",
    "That sum is $Z$; divide by it.",
    returns="new, Z",
)
def q2(answer):
    r"""Boosting keeps a weight $D(i)\ge0$ for each example, with $\sum_iD(i)=1$. In every round it buys a rule $h$ with
    values in $\{-1,+1\}$, gives it a vote $\alpha\in\mathbb{R}$, and moves the weights towards the examples on which
    the rule errs:

    $$
    D'(i)=\frac{D(i)\,e^{-\alpha\,y_i\,h(x_i)}}{Z},\qquad Z=\sum_{i=1}^mD(i)\,e^{-\alpha\,y_i\,h(x_i)} .
    $$

    Write `reweight(D, y, h, alpha)`. The arrays `D`, `y` and `h` have shape `(m,)`, and `h` holds the values $h(x_i)$.
    Return the new weights $D'$ and the number $Z$."""

    def holds(D, y, h, alpha):
        D = D / D.sum()
        tried = show(D=D, y=y, h=h, alpha=alpha)
        new, Z = pair(answer(D, y, h, alpha), "(D, Z)")
        new, need = array(new, D.shape, "the new weights"), requiring(tried, new)
        want, turned = (_weights(D * np.exp(-vote * y * h)) for vote in (alpha, -alpha))
        is_turned = np.allclose(new, turned, rtol=1e-4) and not np.allclose(turned, want)
        need(not is_turned, "the sign is turned: your weights grow where the rule is right.")
        total = new.sum()
        need(np.isclose(total, 1, rtol=1e-5), f"the new weights should sum up to one, not {total:.4g}.")
        close(new, want, "the new D", tried)
        close(Z, D @ np.exp(-alpha * y * h), "Z, the sum of the weights before it divides them,", tried)

    def mixed(D, y, h, alpha):  # both errors and right answers
        return D.sum() > 0 and np.ptp((y * h)[D > 0]) > 0

    rng = np.random.default_rng(2)
    drawn = [
        (_weights(rng.integers(1, 5, m) * (np.arange(m) >= zeros)), *rng.choice((-1, 1), (2, m)), alpha)
        for m, zeros in ((2, 0), (2, 0), (2, 0), (3, 0), (3, 0), (3, 1), (4, 1), (6, 0), (20, 5))
        for alpha in (1.0, 0.3, -0.7)
    ]
    for_all(sorted(drawn, key=lambda case: not mixed(*case)), holds, mixed)

    m, product, f = 12, 1.0, np.zeros(12)
    D, y = np.full(m, 1 / m), rng.choice((-1, 1), m)
    for h in rng.choice((-1, 1), (6, m)):
        alpha = vote(D[h != y].sum())[0]
        D, Z = pair(answer(D, y, h, alpha), "(D, Z)")
        D, f, product = array(D, (m,), "the new weights"), f + alpha * h, product * number(Z, "Z")
        close(D[h != y].sum(), 0.5, "the error of the rule under the new weights", rtol=1e-5)
    close(product, np.exp(-y * f).mean(), "the product of the Z, against the exponential risk,", rtol=1e-5)
    return "the weights sum up to one, the rule just used has error 1/2, and the Z multiply to the exponential risk."


@q2.solved_by
def reweight(D, y, h, alpha):
    r"""The factor is $e^{\alpha}$ where the rule errs and $e^{-\alpha}$ where it is right. $Z$ is the sum before the
    division.

    With $\alpha=\frac12\ln\frac{1-\varepsilon}\varepsilon$ the wrong examples had weight $\varepsilon$ and now have
    $\varepsilon e^{\alpha}=\sqrt{\varepsilon(1-\varepsilon)}$, the right ones
    $(1-\varepsilon)e^{-\alpha}=\sqrt{\varepsilon(1-\varepsilon)}$, the same. So after the division each group has
    weight $\frac12$: under the new weights the rule is a coin."""
    new = D * np.exp(-alpha * y * h)
    return new / new.sum(), new.sum()


@homework.question(
    "All rounds at once",
    "Write $D_2$ with $D_1$, then $D_3$ with $D_2$. What happens to the exponents, what to the denominators?",
    r"$D_{T+1}(i)=e^{-y_if_T(x_i)}\big/(m\,Z_1\cdots Z_T)$, where $f_T=\sum_t\alpha_th_t$.",
    r"The left side sums up to one. So $m\,Z_1\cdots Z_T$ is the sum of the $e^{-y_if_T(x_i)}$.",
    proof=True,
    returns="D, product",
)
def q3(answer):
    r"""Now start from $D_1(i)=\frac1m$ and make $T$ rounds, with rules $h_1,\dots,h_T$ and any votes
    $\alpha_1,\dots,\alpha_T$. Round $t$ turns $D_t$ into $D_{t+1}$ and divides by $Z_t$. It looks as if the weights at
    the end depended on the whole history. They do not. Find what they depend on, and with it a formula for $D_{T+1}$
    and one for the product $Z_1Z_2\cdots Z_T$. In it you will meet an old acquaintance.

    Write `unrolled(y, H, alpha)`, if you can without a loop: `H` has shape `(m, T)` with $h_t(x_i)$ in row $i$ and
    column $t$, and `alpha` has shape `(T,)`. Return $D_{T+1}$, of shape `(m,)`, and the product."""

    def holds(y, H, alpha):
        D, product, tried = np.full(len(y), 1 / len(y)), 1.0, show(y=y, H=H, alpha=alpha)
        for h, a in zip(H.T, alpha, strict=True):
            D = D * np.exp(-a * y * h)
            D, product = D / D.sum(), product * D.sum()
        got, Z = pair(answer(y, H, alpha), "(D, Z)")
        got, turned = array(got, y.shape, "D"), _weights(1 / D)
        require(np.isclose(got.sum(), 1, rtol=1e-5), f"D should sum up to one, not {got.sum():.4g}.", tried)
        is_turned = np.allclose(got, turned, rtol=1e-4) and not np.allclose(D, turned)
        require(not is_turned, "the sign is turned: your weights are small where y f is negative.", tried, got, D)
        close(got, D, f"D for T = {len(alpha)}", tried)
        close(Z, product, f"the product of the Z_t for T = {len(alpha)}", tried)

    rng = np.random.default_rng(3)
    drawn = [
        (rng.choice((-1, 1), m), rng.choice((-1, 1), (m, T)), rng.integers(least, 5, T) / 4)
        for m, T in ((2, 1), (2, 3), (3, 2), (3, 3), (4, 4), (10, 6), (30, 20))
        for least in (0, -3)
        for _ in range(3)
    ]
    for_all(drawn, holds, valid=lambda y, H, alpha: H.shape == (len(y), len(alpha)) and len(y) > 1)
    return "the same weights and the same product as round by round: they depend on the rules through the score alone."


@q3.solved_by
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
    bad ones. The weights of the next round are the costs of the examples, divided by their sum."""
    cost = np.exp(-y * (H @ alpha))
    return cost / cost.sum(), cost.mean()


@homework.question(
    "The best vote",
    r"Split $Z=\sum_iD(i)\,e^{-\alpha y_ih(x_i)}$ into the examples that are right and those that are wrong.",
    r"$Z(\alpha)=(1-\varepsilon)\,e^{-\alpha}+\varepsilon\,e^{\alpha}$ is convex: set its derivative to zero.",
    r"$e^{2\alpha}=(1-\varepsilon)/\varepsilon$. Insert $e^\alpha=\sqrt{(1-\varepsilon)/\varepsilon}$ into $Z$.",
    proof=True,
    returns="alpha, Z",
)
def q4(answer):
    r"""The share of errors is at most the exponential risk, and the exponential risk is $Z_1\cdots Z_T$. So every round
    should make its own factor as small as it can. Let $h$ have the error $\varepsilon=\sum_{i:\,h(x_i)\ne y_i}D(i)$
    under the present weights, with $0<\varepsilon<1$. Show that $Z$ depends on $\varepsilon$ and $\alpha$ alone. Find
    the vote $\alpha$ that makes it smallest, show that it is the only one, and compute the smallest $Z$.

    Write `vote(epsilon)`, which returns this $\alpha$ and this $Z$. Do not take the formula from a lecture: of those
    that this book follows, Milan prints the vote with a wrong sign ({ref}`M96 <erratum-M96>`) and $Z$ in a form that
    has no minimum ({ref}`M95 <erratum-M95>`), and the vote of the Paris notes is twice as large because it belongs to
    another update."""

    def normaliser(epsilon, alpha):  # two examples: right with weight 1 - epsilon, wrong with weight epsilon
        return float(np.array([1 - epsilon, epsilon]) @ np.exp(-alpha * np.array([1, -1])))

    def holds(epsilon):
        alpha, Z = two_numbers(answer(epsilon), "(alpha, Z)")
        best, tried = np.log((1 - epsilon) / epsilon) / 2, show(epsilon=epsilon)
        require(abs(alpha) < 50, "this vote is far too large.", tried, show(alpha=alpha))
        there = normaliser(epsilon, alpha)
        found = f"alpha = {alpha:.6g}, and D = ({1 - epsilon:g}, {epsilon:g}) gives Z = {there:.6g}"
        least = f"alpha = {best:.6g} gives Z = {normaliser(epsilon, best):.6g}"
        slips = {
            "the sign is turned; a rule with an error below 1/2 deserves a positive vote": -best,
            "with twice the best vote Z is one again, the round gains nothing": 2 * best,
        }
        message = f"another vote makes Z smaller{slip(alpha, slips)}."
        require(abs(alpha - best) < 1e-6 * (1 + abs(best)), message, tried, found, least)
        close(Z, there, "the smallest Z", f"{tried}, alpha = {alpha:.6g}")

    rng = np.random.default_rng(4)
    for_all([(e,) for e in (0.25, 0.1, 0.5, 0.8, 0.01, 0.499, 1e-6, *rng.uniform(0.02, 0.98, 10))], holds)
    return "no other vote makes Z smaller, for errors below, at and above 1/2."


@q4.solved_by
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
    $\varepsilon=\frac12$: the exponential risk would rise in every round."""
    return np.log((1 - epsilon) / epsilon) / 2, 2 * np.sqrt(epsilon * (1 - epsilon))


@homework.question(
    "What the edges promise",
    r"Put $\varepsilon=\frac12-\gamma$ into the smallest $Z$ of Question 4, and multiply over the rounds.",
    r"$4\,(\frac12-\gamma)(\frac12+\gamma)=1-4\gamma^2$.",
    r"$1-a\le e^{-a}$ with $a=4\gamma^2$. Then take the root. To see that $c$ cannot be larger let $\gamma\to0$.",
    proof=True,
    returns="risk, bound",
)
def q5(answer):
    r"""The *edge* of a rule is what it knows more than a coin, $\gamma_t=\frac12-\varepsilon_t$, where $\varepsilon_t$
    is its error under $D_t$. Suppose that $T$ rounds had edges $\gamma_1,\dots,\gamma_T$ with $0<\gamma_t<\frac12$, and
    that every vote was the best one. Two numbers are wanted. The first is the exponential risk after these rounds,
    exactly. The second is a bound on it that is easier to read, of the form $e^{-cS}$ with $S=\sum_t\gamma_t^2$. The
    constant $c$ should serve all sequences of edges, and it should be the largest that does. Prove both.

    Write `promise(edges)` for an array of shape `(T,)`, which returns the two numbers."""

    def holds(edges):
        S, tried = float((edges**2).sum()), show(edges=edges)
        risk, bound = two_numbers(answer(edges), "(risk, bound)")
        exact = np.prod(2 * np.sqrt((0.5 - edges) * (0.5 + edges)))
        close(risk, exact, "the exponential risk", tried)
        got = f"{bound:.6g}" + (f" = e^(-c S) with S = {S:.4g}, c = {0 - np.log(bound) / S:.4g}" if bound > 0 else "")
        need, best = requiring(tried, got), np.exp(-2 * S)
        true = bound >= exact * (1 - 1e-6)
        need(true, "the second number is not an upper bound on the first.", f"at least {exact:.6g}")
        need(bound <= best * (1 + 1e-6), "true, but not the best bound: c can be larger.")
        serves = "for these edges it is a bound, but it is not e^(-c S) with a c that serves all edges"
        need(bound >= best * (1 - 1e-6), f"{serves}: for small ones this c is too large.")

    rng = np.random.default_rng(5)
    first = [np.array(edges) for edges in ([0.25], [0.4], [0.1, 0.3], [0.3, 0.1, 0.2])]
    drawn = [rng.uniform(0.05, 0.45, T) for T in (2, 3, 5, 8)] + [np.full(400, 0.05), np.full(4000, 0.01)]
    for_all([(edges,) for edges in first + drawn], holds, valid=lambda edges: ((edges > 0) & (edges < 0.5)).all())
    return "the first number is exact, the second is never below it, and no larger constant would do."


@q5.solved_by
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


@homework.question(
    "Rounds until nothing is wrong",
    r"With edges of at least $\gamma$ the exponential risk after $T$ rounds is at most $(1-4\gamma^2)^{T/2}$.",
    "By Question 1 no error is left as soon as the exponential risk is at most $1/m$.",
    r"Take logarithms in $(1-4\gamma^2)^{T/2}\le1/m$; note that $\ln(1-4\gamma^2)<0$. Round up.",
    proof=True,
    doc="The smallest number of rounds that guarantees that there is no error.",
)
def q6(answer):
    r"""Suppose that every edge is at least $\gamma$, where $0<\gamma<\frac12$. The exponential risk then shrinks by a
    constant factor in every round, or faster. The number of errors is whole, so at some point none is left. After how
    many rounds do the exact product of Question 5 and the count of Question 1 guarantee it? Write `rounds(m, edge)` for
    $m\ge2$ examples, which returns the smallest such number."""

    def risk(T, edge):
        return float(np.exp(T * np.log1p(-4 * edge**2) / 2))

    def holds(m, edge):
        T, tried = number(answer(m, edge), "the number of rounds"), f"{show(m=m, edge=edge)}, so 1/m = {1 / m:.4g}"
        require(T == int(T) >= 0, "the rounds should be a whole number, not negative.", tried, T)
        room = "this is not enough: the risk may still be above 1/m, which leaves room for an error."
        require(risk(T, edge) <= 1 / m, room, tried, f"T = {T:.0f}, risk up to {risk(T, edge):.4g}")
        weaker = T in (np.ceil(np.log(m) / edge**2 / 2), np.floor(np.log(m) / edge**2 / 2) + 1)
        clue = " Did you use e^(-2 T edge^2)? The product of Question 5 is smaller." if weaker else ""
        less = f"T = {T:.0f}, and after {T - 1:.0f} rounds the risk is at most {risk(T - 1, edge):.4g}"
        require(risk(T - 1, edge) > 1 / m, f"true, but a smaller number of rounds is enough.{clue}", tried, less)

    rng = np.random.default_rng(6)
    first = [(2, 0.25), (2, 0.49), (3, 0.45), (10, 0.1), (100, 0.3), (1000, 0.05), (10**6, 0.01), (50, 0.4)]
    drawn = zip(rng.integers(2, 5000, 20).tolist(), rng.uniform(0.02, 0.45, 20).round(3).tolist(), strict=True)

    def apart(m, edge):  # the exact number is not nearly whole: rounding does not decide
        T = 2 * np.log(m) / -np.log1p(-4 * edge**2)
        return abs(T - round(T)) > 1e-6

    for_all([case for case in (*first, *drawn) if apart(*case)], holds)
    return "enough rounds, and one less would not be: right for every m and edge that was tried."


@q6.solved_by
def rounds(m, edge):
    r"""$\sqrt{1-4\gamma_t^2}$ falls as $\gamma_t$ grows, so with edges of at least $\gamma$ the exponential risk is at
    most $(1-4\gamma^2)^{T/2}$, and edges of exactly $\gamma$ attain this. By Question 1 no error is left once it is at
    most $\frac1m$:

    $$
    \tfrac T2\ln(1-4\gamma^2)\le-\ln m\quad\Longleftrightarrow\quad T\ge\frac{2\ln m}{-\ln(1-4\gamma^2)} .
    $$

    One round less may leave a risk above $\frac1m$, which by Question 1 has room for an error. The weaker bound
    $e^{-2T\gamma^2}$ would give $T\ge\ln m/(2\gamma^2)$. For small edges this is nearly the same: a million examples
    and $\gamma=0.01$ take $69064$ rounds by the product and $69078$ by the exponential."""
    return int(np.ceil(2 * np.log(m) / -np.log(1 - 4 * edge**2)))


@homework.question(
    "Edges that fade",
    r"The bound $e^{-2\sum\gamma_t^2}$ goes to zero exactly if the sum is infinite. Which sums of squares are finite?",
    r"Try $\gamma_t=c/t$ with a small $c$, or a geometric sequence.",
    r"With $4\gamma_t^2=1/(t+1)^2$ the product can be computed: $1-\frac1{(t+1)^2}=\frac{t\,(t+2)}{(t+1)^2}$.",
    proof=True,
)
def q7(answer):
    r"""The homework that you are following ends with the sentence that the training error of AdaBoost decreases
    exponentially to zero. No condition is given, only that each rule is better than a coin. Is that enough? Find edges
    $\gamma_1,\gamma_2,\dots$ with $0<\gamma_t<\frac12$ for every $t$ whose product $\prod_{t\le T}\sqrt{1-4\gamma_t^2}$
    is at least $\frac12$ for *every* $T$. With such edges the argument never proves that no error is left, for any
    sample of two examples or more. Then find out which sequences do have a product that tends to zero.

    Write `fading(T)`, which returns the first $T$ edges of one fixed sequence, an array of shape `(T,)`. (Edges below
    $10^{-30}$ may be rounded to zero.) The check follows it for a hundred thousand rounds; whether it would last for
    ever is for you to prove. The erratum is {ref}`EA12 <erratum-EA12>`."""
    before = np.empty(0)
    for T in (1, 2, 10, 1000, 10**5):
        edges = array(answer(T), (T,), f"the answer for T = {T}")
        inside = ((edges >= 0) & (edges < 0.5)).all()
        require(inside, f"for T = {T}: every edge should be above 0 and below 1/2.", got=edges)
        end = int(np.append(edges > 0, False).argmin())  # the first zero: it may stand for an edge too small to write
        last = edges[end - 1] if end else 1.0
        zero = f"for T = {T}: every edge should be above 0, but that of round {end + 1} is 0."
        said = f"{last:.4g} in the round before" if end else edges
        require(end == T or max(last, edges[end:].max()) < TINY, zero, got=said)
        same = np.allclose(edges[: len(before)], before, rtol=1e-5, atol=0)
        other = f"for T = {T} the first {len(before)} edges are others than for T = {len(before)}"
        require(same, f"{other}: one sequence is asked for.", got=edges)
        product, always = float(np.exp(np.log1p(-4 * edges**2).sum() / 2)), "at least 1/2 for every T"
        require(product >= 0.5 - 1e-9, f"for T = {T} the product is below 1/2.", "", f"{product:.4g}", always)
        before = edges
    tail = edges[1000:] / (edges[1000:].max() or 1.0)  # the square of a small edge would be zero
    late, later = (tail[:9000] ** 2).sum(), (tail[9000:] ** 2).sum()
    still = f"after {T} rounds the product is still {product:.4g}, but it does not look as if it would stay above 1/2"
    times, slower = later / late if late else np.inf, later < late * (1 - 1e-6) or later == 0
    need = requiring("", f"rounds 10000 to 100000 add {times:.4g} times as much to it as rounds 1000 to 10000")
    converge = "the series of the squared edges should converge"
    need(slower, f"{still}: the sum of the squared edges does not slow down.", converge)
    return f"every edge is positive, and after {T} rounds the product is still {product:.4f}."


@q7.solved_by
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
    and the finitely many factors before them are positive. Here even $\sum_t\gamma_t=\infty$: the squares decide."""
    return 1 / (2 * np.arange(2, T + 2))


@homework.question(
    "The best stump",
    "Only the order of the values of a column matters: try one threshold below all values, and each value.",
    r"Sort a column and cumulate $D(i)\,y_i$ in this order. If $B$ is the sum up to $\theta$, then "
    r"$\sum_iD(i)\,y_i-2B$ is twice the edge of the stump with sign $+1$.",
    "The largest absolute value wins; if it was negative, the sign is $-1$. No threshold separates equal values.",
    returns="j, theta, s",
)
def q8(answer):
    r"""Enough promised; somebody has to deliver the rules. A *stump* looks at one coordinate once: for points of
    $\mathbb{R}^d$, a column $j\in\{0,\dots,d-1\}$, a threshold $\theta$ and a sign $s\in\{-1,+1\}$,

    $$
    h(x)=s\ \text{ if }\ x_j>\theta,\qquad h(x)=-s\ \text{ otherwise} .
    $$

    The threshold may be $-\infty$ or $\infty$, which makes the rule constant. Write `best_stump(X, y, D)`, which
    returns a triple `(j, theta, s)` whose error under `D` is the least possible. `X` has shape `(m, d)`, and `y` and
    `D` have shape `(m,)`. If several stumps are equally good, any of them will do. Points may share a coordinate and
    weights may be zero. AdaBoost will call your function in every round, so sort a column and cumulate instead of
    trying each threshold afresh."""

    def holds(X, y, D):
        D = D / D.sum()
        stump, (least, best) = _stump(answer(X, y, D), X.shape[1]), _least(X, y, D)
        (j, theta, s), wrong = stump, _values(X, stump) != y
        error, uniform = D @ wrong, np.full(len(y), 1 / len(y))
        clues = {
            " With x_j >= theta yours would be best, but the rule asks for x_j > theta.": (
                D @ (np.where(X[:, j] >= theta, s, -s) != y) <= least + 1e-9
            ),
            " The opposite sign is better.": 1 - error < error - 1e-9,
            " Points with different labels have x_j = theta: no threshold fits between them.": (
                len(set(y[X[:, j] == theta])) > 1
            ),
            " Yours is the best one if all examples have the same weight.": (
                wrong.mean() <= _least(X, y, uniform)[0] + 1e-12
            ),
            f" Look at column {best[0]}.": _least(X[:, [j]], y, D)[0] > least + 1e-9,
            f" Yours is the best one with s = {s}.": error <= _least(X, y, D, (s,))[0] + 1e-9,
        }
        clue = next((text for text, fits in clues.items() if fits), "")
        need = requiring(show(X=X, y=y, D=D), f"(j, theta, s) = {brief(stump)} with error {error:.4g}")
        better = f"an error of {least:.4g}, for example with {brief(best)}"
        need(error <= least + 1e-9, f"there is a better stump.{clue}", better)

    rng = np.random.default_rng(8)
    shapes = [(1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (6, 2), (10, 3), (25, 3)]
    drawn = []
    for m, d in np.repeat(shapes, 8, axis=0).tolist():
        X, y = rng.integers(0, 4, (m, d)).astype(float), rng.choice((-1, 1), m)
        drawn.append((X, y, _weights(rng.integers(0, 5, m) + (np.arange(m) < 1))))
    for m in (5, 20, 60):
        X, y = rng.normal(size=(m, 2)).round(2), rng.choice((-1, 1), m)
        drawn.append((X, y, _weights(rng.exponential(size=m))))
    for_all(drawn, holds, valid=lambda X, y, D: D.sum() > 0)
    return "no stump has a smaller error under D; equal values and weights of zero were among the cases."


@q8.solved_by
def best_stump(X, y, D):
    r"""The stump with sign $+1$ at $\theta$ has twice the edge $\sum_iD(i)\,y_ih(x_i)=\sum_iD(i)\,y_i-2B$, where $B$ is
    the sum of $D(i)\,y_i$ over the points with $x_j\le\theta$. With the sign $-1$ it is the negative of this. So sort,
    cumulate, and take the largest absolute value. A place between two equal values is no threshold and must not win;
    $\theta=-\infty$ is the constant rule. The sort costs $O(m\log m)$ a column, trying every threshold $O(m^2)$."""
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


@homework.question(
    "AdaBoost",
    "A loop over the rounds: `best_stump`, its error under $D$, the vote of Question 4, `reweight`.",
    r"If $\varepsilon_1=0$ the vote would be infinite: return this stump alone, with the vote $1$.",
    r"If $\varepsilon_t\ge\frac12$ (allow for rounding) leave the loop before the stump is added.",
    returns="votes, stumps",
)
def q9(answer):
    r"""Put it together. Write `adaboost(X, y, T)`: start with equal weights, and in each of at most $T\ge1$ rounds take
    the best stump, give it the best vote and change the weights. Return the list of votes and the list of stumps
    `(j, theta, s)`, of the same length.

    The lectures leave two cases open ({ref}`EA12 <erratum-EA12>`, {ref}`P20c <erratum-P20c>`), and your loop will meet
    both. If a stump makes no mistake at all, its vote would be infinite: return this stump alone, with the vote $1$. If
    the best stump is no better than a coin, $\varepsilon_t\ge\frac12$, nothing can be gained any more: stop, and return
    what you have without it. The list may then be empty. Allow for rounding and compare with $\frac12-10^{-12}$. The
    four corners of XOR, $(0,0)$ and $(1,1)$ against $(0,1)$ and $(1,0)$, are such a case. Why, and why can no vote of
    stumps be right on all four, whatever the Paris notes say ({ref}`P04 <erratum-P04>`)?"""

    def holds(X, y, T):
        votes, stumps, tried = *_votes(answer(X, y, T), X.shape[1]), show(X=X, y=y, T=T)
        D, need = np.full(len(y), 1 / len(y)), requiring(tried, f"{len(votes)} rounds, votes {brief(votes)}")
        least, best = _least(X, y, D)
        if least < 1e-12:
            alone = len(stumps) == 1 and (_values(X, stumps[0]) == y).all()
            need(alone, f"the stump {brief(best)} makes no mistake: it should be returned alone.")
            any_vote = "its vote should be 1, or any other positive finite number."
            return need(0 < votes[0] < np.inf, f"a stump without a mistake decides alone; {any_vote}")
        need(len(stumps) <= T, f"at most T = {T} rounds were asked for.")
        before = None
        for t, (alpha, stump) in enumerate(zip(votes, stumps, strict=True), 1):
            least, best = _least(X, y, D)
            coin = f"round {t}: under D_{t} no stump is better than a coin. Stop, and leave this one out."
            need(least < 0.5 - 1e-9, coin)
            h = _values(X, stump)
            epsilon = D @ (h != y)
            again = " Yours is that of the round before: were the weights changed?" * np.array_equal(h, before)
            got, should = f"{brief(stump)} with error {epsilon:.4g}", f"error {least:.4g}, as of {brief(best)}"
            message = f"round {t}: another stump is better under D_{t}.{again}"
            require(epsilon <= least + 1e-9, message, tried, got, should)
            alpha_t = np.log((1 - epsilon) / epsilon) / 2
            under = f"{tried}; under D_{t}, which sums up to one, the stump has error {epsilon:.4g}"
            close(alpha, alpha_t, f"the vote of round {t}", under)
            D, before = _weights(D * np.exp(-alpha_t * y * h)), h
        least, done = _least(X, y, D)[0], len(stumps)
        early = f"you stopped after {done} of {T} rounds, although a stump with error {least:.4g} is left."
        need(done == T or least > 0.5 - 1e-9, early)

    rng, line = np.random.default_rng(9), np.arange(4.0)[:, None]
    xor = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
    first = [(line[:3], np.array([1, -1, 1]), T) for T in (1, 2, 3)]
    traps = [
        (line, np.array([-1, -1, 1, 1]), 5),
        (line[:2], np.array([1, 1]), 2),
        (xor, np.array([1, 1, -1, -1]), 3),
        (np.vstack([xor, xor]), np.tile([-1, -1, 1, 1], 2), 10),
    ]
    nearly_coin = (np.array([[0.0], [0], [1], [1], [1]]), np.array([1, -1, 1, 1, -1]), 8)  # its last edge is 2e-6
    contradiction = [(np.array([[0.0], [0], [0], [1], [1]]), np.array([1, 1, -1, -1, -1]), T) for T in (10, 60)]
    flipped = (np.arange(200.0)[:, None], np.where((np.arange(200) > 99) | (np.arange(200) == 30), 1, -1), 3)
    drawn = [
        (rng.integers(0, 6, (m, d)).astype(float), rng.choice((-1, 1), m), T)
        for m, d, T in ((4, 1, 2), (5, 2, 3), (6, 2, 5), (8, 2, 10), (12, 3, 10), (25, 3, 20), (40, 2, 12))
    ]
    for_all(first + traps, holds, valid=lambda *case: False)
    for_all([case for case in [*contradiction, *drawn, flipped] if _decided(*case)], holds, _decided)
    for_all([nearly_coin], holds, valid=lambda *case: False)
    return "the best stump and the best vote in every round, and it stops where one stump is enough or none can help."


@q9.solved_by
def adaboost(X, y, T):
    r"""Two lines deserve a word. A stump without a mistake would have an infinite vote and outvote all others, so it
    decides alone. With the best stump this can only happen in the first round: a stump that is right everywhere has
    error zero under every $D$.

    If the best error is $\frac12$, the vote is zero and the weights stay as they are, so every later round would be the
    same. For XOR it happens at once. A stump on the first coordinate has the same value at $(0,0)$ and $(0,1)$, whose
    labels differ, and the same value at $(1,1)$ and $(1,0)$, whose labels differ; likewise on the second coordinate. So
    every stump errs on exactly two of the four corners. A vote of stumps has
    $f(0,0)+f(1,1)=f(0,1)+f(1,0)$, and cannot be positive on the first two corners and negative on the others."""
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


def _weights(sizes):
    """Weights in the proportion of these sizes, which sum up to one."""
    return sizes / sizes.sum()


def _stump(answer, d):
    """The three parts of a stump for points with d coordinates."""
    answer = list(answer) if isinstance(answer, np.ndarray) and answer.ndim else answer
    triple = isinstance(answer, (tuple, list)) and len(answer) == 3
    require(triple, f"a stump is a triple (j, theta, s), got {answer!r}.")
    j, theta, s = (float(array(part, (), name)) for part, name in zip(answer, ("j", "theta", "s"), strict=True))
    require(j in range(d), f"j should be a column of X, one of 0 to {d - 1}, got {j:g}.")
    require(not np.isnan(theta), "theta should be a number, got nan.")
    require(s in (-1, 1), f"the sign s should be -1 or +1, got {s:g}.")
    return int(j), theta, int(s)


def _votes(answer, d):
    """The votes and the stumps of an answer."""
    votes, stumps = pair(answer, "(votes, stumps)")
    require(np.iterable(stumps), f"the stumps should be a list of triples (j, theta, s), got {stumps!r}.")
    stumps = [_stump(stump, d) for stump in stumps]
    return array(votes, (len(stumps),), "the votes, one for each stump,"), stumps


def _values(X, stump):
    """The values of a stump on the rows of X."""
    j, theta, s = stump
    return np.where(X[:, j] > theta, s, -s)


def _least(X, y, D, signs=(1, -1)):
    """The least error under D of a stump, and a stump that has it, by trying all of them."""
    tried = [(j, theta, s) for j in range(X.shape[1]) for theta in (-np.inf, *np.unique(X[:, j])) for s in signs]
    errors = [D @ (_values(X, stump) != y) for stump in tried]
    return min(errors), tried[int(np.argmin(errors))]


def _decided(X, y, T):
    """Whether T rounds can be made and rounding cannot end them: no best error is 0 or close to 1/2."""
    D = np.full(len(y), 1 / len(y))
    for _ in range(T + 1):
        error, stump = _least(X, y, D)
        if error < 1e-12 or error > 0.5 - 1e-6:
            return False
        D = np.where(_values(X, stump) == y, D / (1 - error), D / error) / 2
    return True


homework.closing(r"""You have proved {prf:ref}`thm-adaboost` with your own hands: the share of errors is at most
$\prod_t\sqrt{1-4\gamma_t^2}\le e^{-2\sum_t\gamma_t^2}$, and it reaches zero if the edges do not fade too fast. You know
what the proof does not say. The *bound* falls in every round, the share of errors need not, and without an edge nothing
falls. All of this is about the sample. Whether the vote is right on new points, why it often goes on improving when no
error is left, and what it does with noisy labels is the rest of {doc}`../boosting`.""")
