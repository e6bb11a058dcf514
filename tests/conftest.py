"""Two workers on two cores: each computes with one thread, and so do the notebooks it runs; no progress is kept."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when NumPy is first imported
os.environ.setdefault("MLCOURSE_PROGRESS", "off")
