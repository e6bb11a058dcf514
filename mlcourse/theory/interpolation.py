"""What noise does to an exact fit.

Letters
    m      number of equally spaced points, all of them fitted
"""

from mlcourse.arguments.promises import Result
from mlcourse.arguments.ranges import CountsFromTwo
from mlcourse.theory.registry import states


@states("prop-magnified-noise")
def magnified_noise(m: CountsFromTwo) -> Result:
    """A factor by which the polynomial at least magnifies the variance of noise, half-way between the first points.

    It is 4^(m-1) / (16 (m-1)^4 (2m-1)); the true factor is at most 4^(m-2), so the rate 4^m is right.
    """
    return 4 ** (m - 1) / (16 * (m - 1) ** 4 * (2 * m - 1))
