"""matplotlib's way to the page: figures are drawn by Agg and shown under the running cell."""

from matplotlib.backend_bases import FigureManagerBase as FigureManager  # noqa: F401
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas  # noqa: F401
from runner import show_figures as show  # noqa: F401
