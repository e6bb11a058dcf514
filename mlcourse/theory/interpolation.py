"""What noise does to an exact fit.

Letters
    m      number of equally spaced points, all of them fitted
"""

from mlcourse.theory._numbers import arrays, require
from mlcourse.theory.registry import states


@states("prop-magnified-noise")
def magnified_noise(m):
    """The least factor by which the polynomial magnifies the variance of noise, between the first two points."""
    (m,) = arrays(m)
    require(m >= 2, "m >= 2 points")
    return 4 ** (m - 1) / (16 * (m - 1) ** 4 * (2 * m - 1))
