"""One look for every figure: the only room that imports matplotlib.

Every function takes an ``ax`` and data, draws, and returns the ``ax``. Colours are Okabe and Ito's,
told apart by readers with any colour vision; the two classes also differ in marker. Figures have a
white ground, so they read the same on a light and on a dark page.
"""

from mlcourse.plots.charts import confusion, folds, image, panels, promise, steps
from mlcourse.plots.diagrams import graph, tree
from mlcourse.plots.in_plane import arrow, ellipse, line, plane, points, regions, rings, street, voronoi
from mlcourse.plots.style import BLUE, CYCLE, GREEN, GREY, INK, MARKERS, ORANGE, PURPLE, RED, SKY, YELLOW, use_style
